import { describe, expect, it } from 'vitest';
import { loadTemplate } from './index.js';

const render = (text: string): string => loadTemplate({ name: 'test', text, source: 'test', endOfTurn: '' }).renderValues(new Map());

describe('a filter or test that few templates use', () => {
  // Because each of these was refused or came out otherwise. Expected texts were printed by jinja2 3.1.6, markupsafe 3.0 and CPython 3.11.
  it.each([
    ["batch", "{{ range(5) | batch(2) | list }}{{ range(3) | batch(2, '-') | list }}{{ [] | batch(2) | list }}", "[[0, 1], [2, 3], [4]][[0, 1], [2, '-']][]"],
    ["slice", "{{ range(5) | slice(3) | list }}{{ range(5) | slice(3, 0) | list }}{{ [1] | slice(2) | list }}", "[[0, 1], [2, 3], [4]][[0, 1], [2, 3], [4, 0]][[1], []]"],
    ["groupby", "{% for g in [{'a': 'x', 'n': 1}, {'a': 'Y', 'n': 2}, {'a': 'X', 'n': 3}] | groupby('a') %}{{ g.grouper }}={{ g.list | map(attribute='n') | join('+') }};{% endfor %}{% for k, v in [{'a': 2}, {'a': 1}, {}] | groupby('a', default=2) %}{{ k }}:{{ v | length }},{% endfor %}", "x=1+3;Y=2;1:1,2:2,"],
    ["groupby, case sensitive", "{{ ['b', 'B', 'a'] | groupby(0, case_sensitive=true) }}", "[('B', ['B']), ('a', ['a']), ('b', ['b'])]"],
    ["urlencode", "{{ 'a b/c?d=é&~' | urlencode }} {{ {'q r': 'x/y', 'n': 1} | urlencode }} {{ [['a', 'b c']] | urlencode }} {{ 42 | urlencode }}", "a%20b/c%3Fd%3D%C3%A9%26~ q+r=x%2Fy&n=1 a=b+c 42"],
    ["wordwrap", "{{ 'The quick-brown fox\njumps' | wordwrap(8) }}", "The\nquick-\nbrown\nfox\njumps"],
    ["wordwrap of long words", "{{ 'abcdefghij klm' | wordwrap(4, break_long_words=false, wrapstring='|') }}/{{ 'abcdefghij' | wordwrap(4, wrapstring='|') }}/{{ 'self-contained' | wordwrap(6, wrapstring='|', break_on_hyphens=false) }}", "abcdefghij|klm/abcd|efgh|ij/self-c|ontain|ed"],
    ["filesizeformat", "{{ 1 | filesizeformat }}, {{ 999 | filesizeformat }}, {{ 13000 | filesizeformat }}, {{ 4100000 | filesizeformat }}, {{ 13000 | filesizeformat(true) }}, {{ '2048' | filesizeformat(binary=true) }}", "1 Byte, 999 Bytes, 13.0 kB, 4.1 MB, 12.7 KiB, 2.0 KiB"],
    ["pprint", "{{ {'b': 1, 'a': 'x' * 40, 'c': ['y' * 30, 'z' * 30]} | pprint }}", "{'a': 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',\n 'b': 1,\n 'c': ['yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy', 'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz']}"],
    ["pprint of a long text", "{{ ('lorem ipsum ' * 9) | pprint }}{{ [('lorem ipsum ' * 9)] | pprint }}", "('lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum '\n 'lorem ipsum lorem ipsum lorem ipsum ')['lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum lorem ipsum '\n 'lorem ipsum lorem ipsum lorem ipsum ']"],
    ["striptags", "{{ '<p>a &amp; <b>b</b></p>\n <!-- <c> --> d&#33;' | striptags }}", "a & b d!"],
    ["xmlattr", "<a{{ {'href': 'x\"y', 'n': none, 'k': 1} | xmlattr }}>{{ {} | xmlattr }}{{ {'a': 'b'} | xmlattr(autospace=false) }}", "<a href=\"x&#34;y\" k=\"1\">a=\"b\""],
    ["sort by several attributes", "{{ [{'a': 2, 'b': 1}, {'a': 1, 'b': 2}, {'a': 1, 'b': 1}] | sort(attribute='a,b') | map(attribute='b') | list }}{{ 'ba' | sort(attribute='missing') }}", "[1, 2, 1]['b', 'a']"],
    ["attr looks for attributes only", "{{ {'a': 1} | attr('a') is defined }}{{ 'x' | attr('upper') is callable }}", "FalseTrue"],
    ["int of other spellings", "{{ '0x1F' | int(base=16) }} {{ 'ff' | int(base=16) }} {{ '0b11' | int(base=2) }} {{ '1_000' | int }} {{ '1__0' | int(7) }} {{ '٣' | int }} {{ '12abc' | int(base=16) }} {{ 'g' | int(-1, 16) }} {{ '3.9' | int }}", "31 255 3 1000 7 3 76476 -1 3"],
    ["round", "{{ 25 | round(-1) }} {{ 35 | round(-1) }} {{ -15 | round(-1) }} {{ 2.5 | round }} {{ 2.675 | round(2) }} {{ 2.1 | round(0, 'ceil') }}", "20 40 -20 2.0 2.67 3.0"],
    ["title and capitalize", "{{ 'ßa bc-de' | title }} {{ 'ßA' | capitalize }} {{ 'ǆ' | capitalize }}", "SSa Bc-De Ssa ǅ"],
    ["expandtabs", "{{ 'a\tbc\td\n\te' .expandtabs(4) }}", "a   bc  d\n    e"],
    ["odd, even and divisibleby of texts", "{{ '%d' is even }}{{ '%d' is odd }}{{ 'a%sb' is divisibleby(3) }}", "FalseFalseFalse"],
    ["filter and test", "{{ 'upper' is filter }}{{ 'nope' is filter }}{{ 'odd' is test }}{{ 1 is filter }}", "TrueFalseTrueFalse"],
  ])('gives what Python gives: %s', (_, text, expected) => {
    expect(render(text)).toBe(expected);
  });

  it.each([
    ["{{ [1] | random }}", "The filter 'random' is not supported: it gives another result every time"],
    ["{{ 'x' | urlize }}", "The filter 'urlize' is not supported"],
    ["{{ ['x'] | map('urlize') | list }}", "The filter 'urlize' is not supported"],
    ["{{ 'x' | nothing }}", "No filter named 'nothing' found."],
    ["{{ '&eacute;' | striptags }}", 'the entity &eacute; is not supported'],
    ["{{ {'a b': 1} | xmlattr }}", "Invalid character in attribute name: 'a b'"],
    ["{{ 'a' | wordwrap(0) }}", 'invalid width 0'],
    ["{{ 1 | wordwrap }}", "no attribute 'splitlines'"],
    ["{{ [1] | slice(0) | list }}", 'modulo by zero'],
    ["{{ '\\ud800' | urlencode }}", 'surrogates not allowed'],
  ])('says what is wrong: %s', (text, reason) => {
    expect(() => render(text)).toThrow(reason);
  });

  it('is refused only where it runs', () => {
    expect(render("{% if false %}{{ [1] | random }}{% endif %}x")).toBe('x');
  });
});
