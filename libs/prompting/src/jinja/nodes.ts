import type { BinaryOperator } from '../python/operators.js';
import type { Ordering } from '../python/compare.js';
import type { Float } from '../python/values.js';

/** Where a node begins, in UTF-16 units of the template with its newlines normalised. */
interface Placed {
  readonly offset: number;
}

export type CompareOperator = '==' | '!=' | Ordering | 'in' | 'not in';

export type Expression = Placed & (
  | { readonly kind: 'constant'; readonly value: string | number | bigint | boolean | null | Float }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'tuple' | 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: 'attribute'; readonly object: Expression; readonly name: string }
  | { readonly kind: 'item'; readonly object: Expression; readonly item: Expression }
  | { readonly kind: 'slice'; readonly object: Expression; readonly start: Expression | undefined; readonly stop: Expression | undefined; readonly step: Expression | undefined }
  | { readonly kind: 'call'; readonly callee: Expression; readonly args: CallArguments }
  | { readonly kind: 'filter'; readonly name: string; readonly operand: Expression; readonly args: CallArguments }
  | { readonly kind: 'test'; readonly name: string; readonly operand: Expression; readonly args: CallArguments }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'sign'; readonly sign: '-' | '+'; readonly operand: Expression }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'concat'; readonly parts: readonly Expression[] }
  | { readonly kind: 'compare'; readonly first: Expression; readonly rest: readonly (readonly [CompareOperator, Expression])[] }
  | { readonly kind: 'choice'; readonly test: Expression; readonly then: Expression; readonly otherwise: Expression | undefined });

export interface CallArguments {
  readonly positional: readonly Expression[];
  readonly named: readonly (readonly [string, Expression])[];
  /** After `*`. */
  readonly rest: Expression | undefined;
  /** After `**`. */
  readonly namedRest: Expression | undefined;
}

export const NO_ARGUMENTS: CallArguments = { positional: [], named: [], rest: undefined, namedRest: undefined };

/** What `set` and `for` assign to. */
export type Target = Placed & (
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'tuple'; readonly items: readonly Target[] }
  | { readonly kind: 'namespace'; readonly name: string; readonly attribute: string });

export interface Parameter {
  readonly name: string;
  readonly otherwise: Expression | undefined;
}

/** A filter applied to what a block writes. */
export interface BlockFilter extends Placed {
  readonly name: string;
  readonly args: CallArguments;
}

export type Statement = Placed & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly value: Expression }
  | { readonly kind: 'if'; readonly branches: readonly { readonly test: Expression; readonly body: Body }[]; readonly otherwise: Body }
  | { readonly kind: 'for'; readonly target: Target; readonly items: Expression; readonly filter: Expression | undefined; readonly recursive: boolean; readonly body: Body; readonly otherwise: Body }
  | { readonly kind: 'set'; readonly target: Target; readonly value: Expression }
  | { readonly kind: 'set-block'; readonly target: Target; readonly filters: readonly BlockFilter[]; readonly body: Body }
  | { readonly kind: 'filter-block'; readonly filters: readonly BlockFilter[]; readonly body: Body }
  | { readonly kind: 'macro'; readonly name: string; readonly parameters: readonly Parameter[]; readonly body: Body }
  | { readonly kind: 'call-block'; readonly call: Expression; readonly parameters: readonly Parameter[]; readonly body: Body }
  | { readonly kind: 'with'; readonly assignments: readonly { readonly target: Target; readonly value: Expression }[]; readonly body: Body }
  | { readonly kind: 'generation'; readonly body: Body }
  | { readonly kind: 'break' | 'continue' });

export type Body = readonly Statement[];
