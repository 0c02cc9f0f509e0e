import { attributeOf, itemOf } from './attributes.js';
import { cut, TextBuilder, textOf } from './data-text.js';
import { formatValue } from './format-spec.js';
import { toRepr, toStr } from './print.js';
import { PythonError, type Arguments, type Keywords, type Str, type Value } from './values.js';

/** `template.format(*args, **keywords)`, in the sandbox: attributes that the sandbox refuses are refused here too. */
export function formatBraces(template: Str, args: Arguments, keywords: Keywords): Str {
  return new BraceFormatter(args, keywords).format(template, 2);
}

class BraceFormatter {
  private automatic = 0;

  constructor(private readonly args: Arguments, private readonly keywords: Keywords) {}

  format(template: Str, depth: number): Str {
    if (depth < 0) throw new PythonError('ValueError', 'Max string recursion exceeded');
    const text = textOf(template);
    const into = new TextBuilder();
    let start = 0;
    while (start < text.length) {
      const brace = nextBrace(text, start);
      into.add(cut(template, start, brace));
      if (brace === text.length) break;
      if (text[brace] === text[brace + 1]) {
        into.add(cut(template, brace, brace + 1));
        start = brace + 2;
        continue;
      }
      if (text[brace] === '}') throw new PythonError('ValueError', "Single '}' encountered in format string");
      const end = closingBrace(text, brace);
      into.add(this.field(text.slice(brace + 1, end), depth));
      start = end + 1;
    }
    return into.build();
  }

  private field(field: string, depth: number): Str {
    const [, expression = '', conversion, , spec = ''] = /^([^!:]*)(?:!(.))?(:(.*))?$/su.exec(field) ?? [];
    const value = this.value(expression);
    const converted = conversion === undefined ? value : conversion === 's' ? toStr(value) : conversion === 'r' || conversion === 'a' ? toRepr(value) : badConversion(conversion);
    return formatValue(converted, textOf(this.format(spec, depth - 1)));
  }

  private value(expression: string): Value {
    const [, first = '', rest = ''] = /^([^.[]*)(.*)$/su.exec(expression) ?? [];
    let value = this.first(first);
    for (const [, attribute, item] of rest.matchAll(/\.([^.[]+)|\[([^\]]+)\]/gsu)) {
      if (attribute !== undefined) value = attributeOf(value, attribute);
      else if (item !== undefined) value = itemOf(value, /^[0-9]+$/.test(item) ? Number(item) : item);
    }
    return value;
  }

  private first(name: string): Value {
    if (name === '' || /^[0-9]+$/.test(name)) {
      const index = name === '' ? this.automatic++ : Number(name);
      const value = this.args[index];
      if (value === undefined) throw new PythonError('IndexError', `Replacement index ${index} out of range for positional args tuple`);
      return value;
    }
    const value = this.keywords.get(name);
    if (value === undefined) throw new PythonError('KeyError', `'${name}'`);
    return value;
  }
}

function badConversion(conversion: string): never {
  throw new PythonError('ValueError', `Unknown conversion specifier '${conversion}'`);
}

function nextBrace(text: string, from: number): number {
  let index = from;
  while (index < text.length && text[index] !== '{' && text[index] !== '}') index++;
  return index;
}

function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let index = open; index < text.length; index++) {
    if (text[index] === '{') depth++;
    else if (text[index] === '}' && --depth === 0) return index;
  }
  throw new PythonError('ValueError', "expected '}' before end of string");
}
