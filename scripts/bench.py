"""Time the main job; nothing to time yet."""

print("bench: nothing to time yet")
