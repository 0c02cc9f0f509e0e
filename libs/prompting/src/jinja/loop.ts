import { equal } from '../python/compare.js';
import { Callable, orElse, typeError, Undefined, type HasAttributes, type Value } from '../python/values.js';
import type { LoopItems } from './backwards.js';

/** `loop`: where a `for` stands. */
export class Loop implements HasAttributes {
  readonly typeName = 'LoopContext';
  index = 0;
  private changedBefore: Value | undefined;

  /** `call` renders the loop again for other items, in a recursive loop. */
  constructor(readonly items: LoopItems, readonly depth: number, private readonly call?: (items: Value) => Value) {}

  attribute(name: string): Value | undefined {
    const { index, items, depth } = this;
    switch (name) {
      case 'index': return index + 1;
      case 'index0': return index;
      case 'first': return index === 0;
      case 'last': return index === items.length - 1;
      case 'length': return items.length;
      case 'revindex': return items.length - index;
      case 'revindex0': return items.length - index - 1;
      case 'depth': return depth + 1;
      case 'depth0': return depth;
      case 'previtem': return orElse(index === 0 ? undefined : items.at(index - 1), () => new Undefined('there is no previous item'));
      case 'nextitem': return orElse(items.at(index + 1), () => new Undefined('there is no next item'));
      case 'cycle': return new Callable(name, (values) => {
        if (values.length === 0) throw typeError('no items for cycling given');
        return values[index % values.length] ?? null;
      });
      case 'changed': return new Callable(name, (values) => {
        const changed = this.changedBefore === undefined || !equal(this.changedBefore, values);
        this.changedBefore = values;
        return changed;
      });
      default: return undefined;
    }
  }

  again(items: Value): Value {
    if (this.call === undefined) throw typeError("The loop must have the 'recursive' marker to be called recursively.");
    return this.call(items);
  }
}
