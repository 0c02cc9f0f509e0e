import { describe, expect, it } from 'vitest';
import { AgentError } from '@turnwright/contracts';
import { loadTemplate, parseJson, type JsonValue } from './index.js';

const render = (text: string, values = '{}', now?: string): string =>
  loadTemplate({ name: 'test', text, source: 'test', endOfTurn: '', ...(now === undefined ? {} : { now }) }).renderValues(parseJson(values) as ReadonlyMap<string, JsonValue>);

describe('an expression', () => {
  // Expected texts were printed by jinja2 3.1.6 with the options of transformers.
  it.each([
    ['{{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 7 / 2 }} {{ 2 ** 10 }}', '3 -4 2 3.5 1024'],
    ['{{ 1 < 2 < 3 }} {{ 3 > 2 > 2 }} {{ not true or true }}', 'True False True'],
    ["{{ 'a' ~ 1 ~ none ~ [1.0, 'x'] }}", "a1None[1.0, 'x']"],
    ["{{ '%05.1f|%-4s|%x' % (3.14159, 'a', 255) }}", '003.1|a   |ff'],
    ["{{ '{0}-{name!r}-{1:>4}'.format('a', 5, name='b') }}", "a-'b'-   5"],
    ["{{ 'a,b,,c'.split(',') }} {{ ' a  b '.split() }} {{ 'a,b,c'.rsplit(',', 1) }}", "['a', 'b', '', 'c'] ['a', 'b'] ['a,b', 'c']"],
    ["{{ 'abc'[::-1] }} {{ 'abc'[-2:] }} {{ [1,2,3,4][1:3] }} {{ 'a🙂c'[1] }}", 'cba bc [2, 3] 🙂'],
    ["{{ {'b': 1, 'a': {'c': none}} | tojson(indent=2) }}", '{\n  "b": 1,\n  "a": {\n    "c": null\n  }\n}'],
    ["{{ {'b': 1, 'A': 2} | dictsort }}", "[('A', 2), ('b', 1)]"],
    ["{{ [3, 1, 2] | sort | join('-') }} {{ ['a', 'B'] | map('upper') | list }}", "1-2-3 ['A', 'B']"],
    ["{{ 'x' if false }}|{{ missing }}|{{ missing | default('d') }}", '||d'],
    ['{{ 4 is divisibleby(2) }} {{ 3 is odd }} {{ [] is sequence }} {{ {} is mapping }}', 'True True True True'],
    ["{{ 'it''s' }} {{ \"\\u00e9\\x41\\n\" | tojson }}", 'its "éA\\n"'],
  ])('%s', (text, expected) => {
    expect(render(text)).toBe(expected);
  });
});

describe('a statement', () => {
  it.each([
    ['a loop with else, filter and break', '{% for x in range(9) if x % 2 %}{% if x > 5 %}{% break %}{% endif %}{{ x }}{{ "," if not loop.last }}{% else %}none{% endfor %}{% for x in [] %}{% else %}none{% endfor %}', '1,3,5,none'],
    ['a variable set in a loop stays there, a namespace does not', '{% set a = 1 %}{% set ns = namespace(a=1) %}{% for x in [2, 3] %}{% set a = x %}{% set ns.a = x %}{{ a }}{% endfor %}{{ a }}{{ ns.a }}', '2313'],
    ['macros with defaults, call blocks and caller', '{% macro m(a, b=2) %}[{{ a }}{{ b }}{{ caller() if caller }}]{% endmacro %}{{ m(1) }}{% call m(3, b=4) %}x{% endcall %}', '[12][34x]'],
    ['a macro that calls itself', '{% macro f(n) %}{{ n }}{% if n > 0 %}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(3) }}', '3210'],
    ['a captured block', '{% set x %}a{{ 1 }}{% endset %}{{ x | upper }}{% filter upper %}b{% endfilter %}', 'A1B'],
    ['signs of tags', 'a \n {%- if true -%} \n b {%+ endif %}\n c', 'ab  c'],
    ['raw text', "{% raw %}{{ x }}{% endraw %}", '{{ x }}'],
    ['unpacking', "{% for k, v in {'a': 1}.items() %}{{ k }}={{ v }}{% endfor %}{% set a, b = 1, 2 %}{{ b }}", 'a=12'],
    ['with', '{% with a = 1 %}{{ a }}{% endwith %}{{ a is defined }}', '1False'],
  ])('%s', (_, text, expected) => {
    expect(render(text)).toBe(expected);
  });

  it('tells the time that it was given', () => {
    expect(render("{{ strftime_now('%d %b %Y %H:%M %A') }}", '{}', '2026-01-15T12:34:56')).toBe('15 Jan 2026 12:34 Thursday');
  });
});

describe('a hostile template', () => {
  it.each([
    ['loops in loops', '{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}', /steps/],
    ['a text that doubles', "{% set ns = namespace(x='aaaaaaaaaaaaaaaa') %}{% for a in range(64) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}", /grew beyond/],
    ['a long range', '{{ range(10000000) }}', /Range too big/],
    ['a power of powers', '{{ 9 ** (9 ** (9 ** 9)) }}', /too large/],
    ['endless recursion', '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}', /recursion/],
    ['deep nesting', `{{ ${'('.repeat(500)}1${')'.repeat(500)} }}`, /nested/],
    ['repetition', "{{ 'a' * 9999999999 }}", /grew beyond/],
    ['wide fields', "{{ '%999999999d' % 1 }}", /Too many/],
    ['a hidden attribute', "{{ ''.__class__.__mro__ }}", /unsafe/],
    ['changing what it was given', '{{ messages.append(1) }}', /unsafe/],
    ['loading others', "{% include 'other' %}", /unknown tag/],
    ['a list repeated', "{{ [1] * 10**9 }}", /steps/],
    ['nested macros', "{% macro f(n) %}{% if n > 0 %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}", /steps/],
    ['a loop that calls itself twice', "{% for a in [1, 2] recursive %}{% if loop.depth < 100 %}{{ loop([1, 2]) }}{% endif %}{% endfor %}", /steps/],
    ['a list that doubles', "{% set ns = namespace(x=[1]) %}{% for a in range(64) %}{% set ns.x = ns.x + ns.x %}{% endfor %}", /steps/],
    ['a tree that is printed', "{% set ns = namespace(x=[1]) %}{% for a in range(40) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x | tojson }}", /steps/],
    ['a tree that is compared', "{% set ns = namespace(x=[1], y=[1]) %}{% for a in range(40) %}{% set ns.x = [ns.x, ns.x] %}{% set ns.y = [ns.y, ns.y] %}{% endfor %}{{ ns.x == ns.y }}", /steps/],
    ['a deep value', "{% set ns = namespace(x=[1]) %}{% for a in range(5000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}", /recursion/],
    ['looking through a long list again and again', "{% set l = range(100000) | list %}{% for i in range(100000) %}{{ l.count(-1) }}{% endfor %}", /steps/],
    ['counting a long text again and again', "{% set l = '🙂' * 1000000 %}{% for i in range(100000) %}{{ l | length }}{% endfor %}", /steps/],
    ['cutting a long text again and again', "{% set l = 'ab ' * 1000000 %}{% for i in range(100000) %}{% set x = l.split() %}{% endfor %}", /steps/],
    ['stripping a long text again and again', "{% set l = 'a' * 1000000 %}{% for i in range(100000) %}{% set x = l.strip('a') %}{% endfor %}", /steps/],
    ['comparing long texts again and again', "{% set l = 'ab ' * 1000000 %}{% set k = l ~ 'c' %}{% for i in range(100000) %}{% set x = l ~ 'c' == k %}{% endfor %}", /steps/],
    ['wide padding', "{{ 'a'.center(10**9) }}", /too long/],
    ['wide padding by a filter', "{{ 'a' | center(10**9) }}", /too long/],
    ['a width from a value', "{{ '%*d' % (1000000000, 1) }}", /Too many/],
    ['a width within a width', "{{ '{0:{1}}'.format(1, 999999999) }}", /Too many/],
    ['many wide fields', "{{ ('{0:>99999}' * 5000).format(1) }}", /grew beyond/],
    ['replacing by more', "{{ ('a' * 100000).replace('a', 'b' * 100000) }}", /grew beyond/],
    ['joining by more', "{{ range(100000) | join('b' * 100000) }}", /grew beyond/],
    ['wrapping by more', "{{ ('a' * 1000000) | wordwrap(1, wrapstring='b' * 10000) }}", /grew beyond/],
    ['wide tabs', "{{ ('\\t' * 100000).expandtabs(1000000) }}", /grew beyond/],
    ['a power of floats', "{{ 2.0 ** 99999 }}", /Numerical result out of range/],
    ['an integer too long to print', "{{ 10 ** 5000 }}", /4300 digits/],
    ['an attribute of a macro', "{% macro m() %}{% endmacro %}{{ m.constructor.constructor('return process')() }}", /no attribute|undefined/],
    ['an attribute in a format', "{{ '{0.__class__.__mro__}'.format(1) }}", /unsafe|no attribute/],
    ['an attribute by a filter', "{{ ('' | attr('__class__')).x }}", /unsafe/],
  ])('is refused within seconds: %s', { timeout: 20_000 }, (_, text, reason) => {
    const attempt = (): string => {
      try {
        return render(text, '{"messages": []}');
      } catch (error) {
        return error instanceof AgentError ? error.message : 'another error';
      }
    };
    const message = attempt();
    expect(message).toMatch(reason);
    expect(message).toMatch(/\(line 1, column [0-9]+\)$/);
  });

  it.each([
    ['elif', `{% if 0 %}${'{% elif 0 %}'.repeat(5000)}{% endif %}`, ''],
    ['filters', `{{ 1${' | int'.repeat(100)} }}`, '1'],
    ['comparisons', `{{ 1${' <= 1'.repeat(5000)} }}`, 'True'],
    ['blanks', `{%- if 1 %}${' \n'.repeat(100_000)}{%- endif %}x`, 'x'],
    ['hyphens', "{{ ('a-' * 50000) | wordwrap(10) | length }}", '109999'],
    ['tags', "{{ ('<a>' * 100000 ~ '<') | striptags }}", '<'],
    ['comment beginnings', "{{ ('<!' * 20000 ~ '--' ~ '-->' * 20000) | striptags | length }}", '0'],
  ])('that has many %s is no hindrance', { timeout: 20_000 }, (_, text, expected) => {
    expect(render(text)).toBe(expected);
  });

  it.each(['constructor', 'prototype', '__proto__', 'toString', 'hasOwnProperty'])('finds nothing called %s', (name) => {
    expect(render(`{{ x.${name} is defined }}{{ ${name} is defined }}{{ x['${name}'] is defined }}`, '{"x": {}}')).toBe('FalseFalseFalse');
  });

  it('is refused at its line and column', () => {
    expect(() => render('a\n{% if x %}\n  {{ y.z }}{% endif %}', '{"x": 1}')).toThrow("Template \"test\": 'y' is undefined (line 3, column 3)");
    expect(() => render('a\n  {{ 1 + }}')).toThrow(/line 2, column 10/);
  });
});
