import { describe, expect, it } from 'vitest';
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
  ])('is refused: %s', (_, text, reason) => {
    expect(() => render(text, '{"messages": []}')).toThrow(reason);
  });

  it.each(['constructor', 'prototype', '__proto__', 'toString', 'hasOwnProperty'])('finds nothing called %s', (name) => {
    expect(render(`{{ x.${name} is defined }}{{ ${name} is defined }}{{ x['${name}'] is defined }}`, '{"x": {}}')).toBe('FalseFalseFalse');
  });

  it('is refused at its line and column', () => {
    expect(() => render('a\n{% if x %}\n  {{ y.z }}{% endif %}', '{"x": 1}')).toThrow("Template \"test\": 'y' is undefined (line 3, column 3)");
    expect(() => render('a\n  {{ 1 + }}')).toThrow(/line 2, column 10/);
  });
});
