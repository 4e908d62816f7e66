"""record.md.j2, compiled; made by `python -m rackrecord.render.precompiled`."""

MADE_FROM = "a9a9e75201d29955d81e0fb590ad63d782911bd5a3582f1f503ff15721139186"
MADE_BY = '3.1.6'

from jinja2.runtime import LoopContext, Macro, Markup, Namespace, TemplateNotFound, TemplateReference, TemplateRuntimeError, Undefined, escape, identity, internalcode, markup_join, missing, str_join
name = 'record.md.j2'

def root(context, missing=missing):
    resolve = context.resolve_or_missing
    undefined = environment.undefined
    concat = environment.concat
    cond_expr_undefined = Undefined
    if 0: yield None
    l_0_record = resolve('record')
    l_0_view = resolve('view')
    l_0_table = resolve('table')
    l_0_cdr = missing
    try:
        t_1 = environment.filters['join']
    except KeyError:
        @internalcode
        def t_1(*unused):
            raise TemplateRuntimeError("No filter named 'join' found.")
    try:
        t_2 = environment.filters['length']
    except KeyError:
        @internalcode
        def t_2(*unused):
            raise TemplateRuntimeError("No filter named 'length' found.")
    pass
    l_0_cdr = environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'capacity_decision_record')
    context.vars['cdr'] = l_0_cdr
    context.exported_vars.add('cdr')
    yield '# '
    yield str(environment.finalize(environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'headline')))
    yield '\n\n## '
    yield str(environment.finalize(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'title')))
    yield '\n\n'
    if environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'profile'), 'purpose'):
        pass
        yield str(environment.finalize(environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'profile'), 'purpose')))
        yield '\n\n'
    yield '- **Recommended:** '
    yield str(environment.finalize(environment.getattr(environment.getattr((undefined(name='cdr') if l_0_cdr is missing else l_0_cdr), 'decision'), 'recommendation')))
    yield '\n- **Strength:** '
    yield str(environment.finalize(environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'strength')))
    yield '\n- **Decided:** '
    yield str(environment.finalize(environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'decided')))
    yield '\n'
    if environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'would_change'):
        pass
        yield '- **Would change it:** '
        yield str(environment.finalize(t_1(context.eval_ctx, environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'would_change'), '; ')))
        yield '.\n'
    if environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'basis_note'):
        pass
        yield '- **Basis:** '
        yield str(environment.finalize(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'basis_note')))
        yield '\n'
    for l_1_line in environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'software'):
        _loop_vars = {}
        pass
        yield '- **Software first:** '
        yield str(environment.finalize(l_1_line))
        yield '\n'
    l_1_line = missing
    for l_1_line in environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'claims'):
        _loop_vars = {}
        pass
        yield '- **Vendor claim:** '
        yield str(environment.finalize(l_1_line))
        yield '\n'
    l_1_line = missing
    yield '- **Left out:** '
    yield str(environment.finalize(environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'left_out')))
    yield '\n- **Review due:** '
    yield str(environment.finalize(environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'review')))
    yield '\n- **Owner:** '
    yield str(environment.finalize(environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'profile'), 'owner')))
    yield '\n- **Approver:** '
    yield str(environment.finalize((environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'profile'), 'approver') or 'not named')))
    yield '\n\n'
    yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'glance'))))
    yield '\n\nCost and throughput per rack, per accelerator, per joule and per '
    yield str(environment.finalize(environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'profile'), 'currency')))
    yield ' are derived; they are not official MLPerf® metrics.'
    if (t_2(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'evidence')) > 1):
        pass
        yield ' The mix of benchmarks is our own combination and is not endorsed by MLCommons.'
    yield '\n\n## 1. The question\n\n- **Workload:** '
    yield str(environment.finalize(environment.getattr((undefined(name='cdr') if l_0_cdr is missing else l_0_cdr), 'workload')))
    yield '\n- **Metric:** '
    yield str(environment.finalize(environment.getattr((undefined(name='cdr') if l_0_cdr is missing else l_0_cdr), 'metric')))
    yield '\n- **Measured by:** '
    yield str(environment.finalize(environment.getattr((undefined(name='cdr') if l_0_cdr is missing else l_0_cdr), 'measured_by')))
    yield '\n\n'
    yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'workload'))))
    yield '\n\nWhat it rests on:\n\n'
    yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'facts'))))
    yield '\n\nThe options as quoted:\n\n'
    yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'inputs'))))
    yield '\n\nDepartures from the default policy: '
    yield str(environment.finalize(environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'departures')))
    yield '\n'
    if environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'profile'), 'notes'):
        pass
        yield '\n'
        yield str(environment.finalize(environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'profile'), 'notes')))
        yield '\n'
    yield '\n## 2. The evidence\n\n'
    for l_1_part in environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'parts'):
        _loop_vars = {}
        pass
        yield '### '
        yield str(environment.finalize(environment.getattr(l_1_part, 'title')))
        yield '\n\n'
        yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr(l_1_part, 'planning'), _loop_vars=_loop_vars)))
        yield '\n\nClaims used:\n\n'
        yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr(l_1_part, 'used'), _loop_vars=_loop_vars)))
        yield '\n\n'
        yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr(l_1_part, 'accounting'), _loop_vars=_loop_vars)))
        yield '\n\n'
    l_1_part = missing
    yield str(environment.finalize(environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'citations'), 'derived')))
    yield '\n'
    if environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'citations'), 'differences'):
        pass
        yield '\n'
        yield str(environment.finalize(environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'citations'), 'differences')))
        yield '\n'
    yield '\n## 3. Costs and racks\n\n'
    if environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'options'):
        pass
        for l_1_t in environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'figures'):
            _loop_vars = {}
            pass
            yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), l_1_t, _loop_vars=_loop_vars)))
            yield '\n\n'
        l_1_t = missing
        if environment.getattr(environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'shares'), 'rows'):
            pass
            yield 'The parts of the workload:\n\n'
            yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'shares'))))
            yield '\n\n'
        yield 'Cost of a rack-hour, line by line:\n\n'
        for l_1_t in environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'costs'):
            _loop_vars = {}
            pass
            yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), l_1_t, _loop_vars=_loop_vars)))
            yield '\n\n'
        l_1_t = missing
        for (l_1_name, l_1_steps) in environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'formulas'):
            _loop_vars = {}
            pass
            yield '### '
            yield str(environment.finalize(l_1_name))
            yield '\n\n'
            for l_2_step in l_1_steps:
                _loop_vars = {}
                pass
                yield '- '
                yield str(environment.finalize(l_2_step))
                yield '\n'
            l_2_step = missing
            yield '\n'
        l_1_name = l_1_steps = missing
        yield 'Over the years:\n\n'
        for l_1_t in environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'years'):
            _loop_vars = {}
            pass
            yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), l_1_t, _loop_vars=_loop_vars)))
            yield '\n\n'
        l_1_t = missing
        if environment.getattr(environment.getitem(environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'limits'), 0), 'rows'):
            pass
            yield 'Limits:\n\n'
            for l_1_t in environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'limits'):
                _loop_vars = {}
                pass
                yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), l_1_t, _loop_vars=_loop_vars)))
                yield '\n\n'
            l_1_t = missing
    else:
        pass
        yield 'No option has both evidence and a price, so there are no figures.\n\n'
    if environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'comparison'), 'not_ranked'):
        pass
        yield 'Not ranked:\n\n'
        for l_1_item in environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'comparison'), 'not_ranked'):
            _loop_vars = {}
            pass
            yield '- '
            yield str(environment.finalize(environment.getattr(environment.call(context, environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'profile'), 'option'), environment.getattr(l_1_item, 'option'), _loop_vars=_loop_vars), 'name')))
            yield ': '
            yield str(environment.finalize(environment.getattr(l_1_item, 'reason')))
            yield '\n'
        l_1_item = missing
        yield '\n'
    yield '## 4. What would change the answer\n\n'
    if environment.getattr(environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'would_win'), 'rows'):
        pass
        yield 'For each other option to draw level with the best, one of:\n\n'
        yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'would_win'))))
        yield '\n\n'
    if environment.getattr(environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'swings'), 'rows'):
        pass
        yield "The best option's cost over the ranges of its inputs:\n\n"
        yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'swings'))))
        yield '\n\n'
    if ((not environment.getattr(environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'would_win'), 'rows')) and (not environment.getattr(environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'swings'), 'rows'))):
        pass
        yield 'There is nothing to compare.\n\n'
    yield '## 5. Vendor claims beside the published results\n\n'
    if environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'claim_checks'):
        pass
        yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'statements'))))
        yield '\n\n'
        for l_1_check in environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'claim_checks'):
            _loop_vars = {}
            pass
            yield '### '
            yield str(environment.finalize(environment.getattr(l_1_check, 'title')))
            yield '\n\n'
            for l_2_note in environment.getattr(l_1_check, 'notes'):
                _loop_vars = {}
                pass
                yield '- '
                yield str(environment.finalize(l_2_note))
                yield '\n'
            l_2_note = missing
            yield '\n'
            def t_3(fiter):
                for l_2_part in fiter:
                    if environment.getattr(l_2_part, 'rows'):
                        yield l_2_part
            for l_2_part in t_3((environment.getattr(l_1_check, 'comparisons'), environment.getattr(l_1_check, 'standings'), environment.getattr(l_1_check, 'efficiencies'))):
                _loop_vars = {}
                pass
                yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), l_2_part, _loop_vars=_loop_vars)))
                yield '\n\n'
            l_2_part = missing
        l_1_check = missing
    else:
        pass
        yield 'The profile lists none.\n\n'
    yield '## 6. Software first\n\n'
    if environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'gains'):
        pass
        for l_1_gain in environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'gains'):
            _loop_vars = {}
            pass
            yield '### '
            yield str(environment.finalize(environment.getattr(l_1_gain, 'title')))
            yield '\n\n'
            yield str(environment.finalize(environment.getattr(l_1_gain, 'sentence')))
            yield '\n\n'
            if environment.getattr(environment.getattr(l_1_gain, 'gains'), 'rows'):
                pass
                yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr(l_1_gain, 'gains'), _loop_vars=_loop_vars)))
                yield '\n\n'
        l_1_gain = missing
    else:
        pass
        yield 'The profile names no fleet in use.\n\n'
    yield '## 7. Own measurements\n\n'
    if environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'replays'):
        pass
        for l_1_replay in environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'replays'):
            _loop_vars = {}
            pass
            yield '### '
            yield str(environment.finalize(environment.getattr(l_1_replay, 'title')))
            yield '\n\n'
            yield str(environment.finalize(environment.getattr(l_1_replay, 'sentence')))
            yield '\n\n'
            yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr(l_1_replay, 'points'), _loop_vars=_loop_vars)))
            yield '\n\n'
        l_1_replay = missing
    else:
        pass
        yield 'The profile names none.\n\n'
    yield '## 8. When to look again\n\n'
    yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'triggers'))))
    yield '\n\n'
    if environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'watch_list'):
        pass
        yield 'Watch list:\n\n'
        for l_1_item in environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'watch_list'):
            _loop_vars = {}
            pass
            yield '- '
            yield str(environment.finalize(l_1_item))
            yield '\n'
        l_1_item = missing
        yield '\n'
    yield '## 9. Caveats\n\n'
    if environment.getattr(environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'caveats'), 'rows'):
        pass
        yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'caveats'))))
        yield '\n'
    else:
        pass
        yield 'There are no caveats.\n'
    yield '\n## 10. Left out, each with its reasons\n\n'
    for l_1_part in environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'parts'):
        _loop_vars = {}
        pass
        yield '### '
        yield str(environment.finalize(environment.getattr(l_1_part, 'title')))
        yield '\n\n'
        yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr(l_1_part, 'reasons'), _loop_vars=_loop_vars)))
        yield '\n\n'
        if environment.getattr(environment.getattr(l_1_part, 'excluded_statements'), 'rows'):
            pass
            yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr(l_1_part, 'excluded_statements'), _loop_vars=_loop_vars)))
            yield '\n\n'
        yield str(environment.finalize(environment.call(context, (undefined(name='table') if l_0_table is missing else l_0_table), environment.getattr(l_1_part, 'excluded'), _loop_vars=_loop_vars)))
        yield '\n\nOut of scope, on other benchmarks: '
        yield str(environment.finalize(environment.getattr(l_1_part, 'out_of_scope')))
        yield '.\n\n'
    l_1_part = missing
    yield '## 11. Sources\n\n'
    for l_1_note in environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'citations'), 'footnotes'):
        _loop_vars = {}
        pass
        yield str(environment.finalize(environment.getattr(l_1_note, 'number')))
        yield '. '
        yield str(environment.finalize(environment.getattr(l_1_note, 'text')))
        yield '\n'
    l_1_note = missing
    yield '\n'
    yield str(environment.finalize(environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'citations'), 'power')))
    yield '\n\n'
    yield str(environment.finalize(environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'citations'), 'legend')))
    yield '\n\nCatalog: '
    yield str(environment.finalize(environment.getattr((undefined(name='view') if l_0_view is missing else l_0_view), 'catalog')))
    yield '. Digest '
    yield str(environment.finalize(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'catalog_sha256')))
    yield '.\n\nMade by '
    yield str(environment.finalize(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'tool')))
    yield ', record schema '
    yield str(environment.finalize(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'schema_version')))
    yield ', from a profile with SHA-256 '
    yield str(environment.finalize((environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'profile_sha256') or 'not recorded')))
    yield '. Record SHA-256 '
    yield str(environment.finalize(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'sha256')))
    yield '.\n\n## 12. Signatures\n\n| Role | Name | Date | Signature |\n| --- | --- | --- | --- |\n| Owner | '
    yield str(environment.finalize(environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'profile'), 'owner')))
    yield ' | | |\n'
    def t_4(fiter):
        for l_1_change in fiter:
            if (environment.getattr(l_1_change, 'status') in ('approved', 'rejected')):
                yield l_1_change
    t_5 = 1
    for l_1_change in t_4(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'history')):
        _loop_vars = {}
        pass
        yield '| Approver'
        if environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'profile'), 'approver'):
            pass
            yield ': '
            yield str(environment.finalize(environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'profile'), 'approver')))
        yield ' | '
        yield str(environment.finalize(environment.getattr(l_1_change, 'by')))
        yield ' | '
        yield str(environment.finalize(environment.call(context, environment.getattr(environment.getattr(l_1_change, 'on'), 'isoformat'), _loop_vars=_loop_vars)))
        yield ' | '
        yield str(environment.finalize(environment.getattr(l_1_change, 'status')))
        yield ' |\n'
        t_5 = 0
    l_1_change = missing
    if t_5:
        pass
        yield '| Approver | '
        yield str(environment.finalize((environment.getattr(environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'profile'), 'approver') or '')))
        yield ' | | |\n'
    if environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'history'):
        pass
        yield '\nHistory:\n\n| Status | By | On | Note |\n| --- | --- | --- | --- |\n'
        for l_1_change in environment.getattr((undefined(name='record') if l_0_record is missing else l_0_record), 'history'):
            _loop_vars = {}
            pass
            yield '| '
            yield str(environment.finalize(environment.getattr(l_1_change, 'status')))
            yield ' | '
            yield str(environment.finalize(environment.getattr(l_1_change, 'by')))
            yield ' | '
            yield str(environment.finalize(environment.call(context, environment.getattr(environment.getattr(l_1_change, 'on'), 'isoformat'), _loop_vars=_loop_vars)))
            yield ' | '
            yield str(environment.finalize((environment.getattr(l_1_change, 'note') or '')))
            yield ' |\n'
        l_1_change = missing

blocks = {}
debug_info = '1=27&2=31&4=33&6=35&7=37&10=40&11=42&12=44&13=46&14=49&16=51&17=54&19=56&20=60&22=63&23=67&25=71&26=73&27=75&28=77&30=79&32=81&37=87&38=89&39=91&41=93&45=95&49=97&51=99&52=101&54=104&59=107&60=111&62=113&66=115&68=117&71=120&72=122&74=125&79=128&80=130&81=133&84=136&87=139&92=142&93=145&96=148&97=152&99=154&100=158&106=164&107=167&110=170&113=173&114=176&122=182&125=185&126=189&132=196&135=199&138=201&141=204&144=206&150=210&151=212&153=214&154=218&156=220&157=224&160=228&161=235&171=243&172=245&173=249&175=251&177=253&178=255&188=262&189=264&190=268&192=270&194=272&203=279&205=281&208=284&209=288&215=293&216=295&223=301&224=305&226=307&228=309&229=311&232=313&234=315&239=319&240=322&243=328&245=330&247=332&249=336&255=344&256=346&257=355&259=371&261=373&267=376&268=380'
