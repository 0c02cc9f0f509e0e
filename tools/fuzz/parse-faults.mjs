/** What may be wrong with the reading of an input; the time limit covers all of its readings. */
import { createContext, Script } from 'node:vm';
import { cutsOf, essence, faultOf, piecesOf, randomPieces, read } from '@turnwright/testing';

/** Inputs have at most 4,000 characters and are read some ten times, which takes milliseconds. */
const TIME_LIMIT_MS = 4000;
const within = new Script('work()');

/** The first fault of an input; undefined when there is none. */
export function inputFault(input, limitMs = TIME_LIMIT_MS) {
  let fault;
  try {
    // Only the machine itself can end a loop that does not end.
    within.runInContext(createContext({ work: () => { fault = readingFault(input); } }), { timeout: limitMs });
  } catch (error) {
    return error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? `does not end within ${String(limitMs)} ms` : `throws ${String(error)} ${/\n\s+(at .*)/.exec(error.stack)?.[1] ?? ''}`;
  }
  return fault;
}

function readingFault({ text, options, end, cutSeed }) {
  const whole = read([text], options, end);
  const fault = faultOf(text, whole) ?? callFault(whole, options);
  if (fault !== undefined) return fault;
  for (const { name, pieces } of cutsOfInput(text, cutSeed)) {
    const reading = read(pieces, options, end);
    const difference = faultOf(text, reading) ?? differenceOf(whole, reading);
    if (difference !== undefined) return `cut ${name}: ${difference}`;
  }
  return truncationFault(text, options, cutSeed);
}

/** Unit by unit, at random places, and in two at a few places. */
function cutsOfInput(text, seed) {
  const inTwo = cutsOf(text, seed).filter(({ name }) => name.startsWith('at '));
  const step = Math.max(1, Math.floor(inTwo.length / 8));
  return [{ name: 'unit by unit', pieces: piecesOf(text, 1) }, { name: `random ${String(seed)}`, pieces: randomPieces(text, seed) }, ...inTwo.filter((_, index) => index % step === seed % step)];
}

function differenceOf(whole, reading) {
  if (JSON.stringify(essence(reading)) !== JSON.stringify(essence(whole))) return 'is read otherwise than whole';
  const [own, other] = [joined(reading.events), joined(whole.events)];
  const at = own.findIndex((event, index) => event !== other[index]);
  return at < 0 && own.length === other.length ? undefined : `event ${String(at)} is ${own[at] ?? 'missing'}, and ${other[at] ?? 'missing'} when read whole`;
}

/** Events without how deltas were cut: what was said first stays said, so every cut must say the same in the same order. */
function joined(events) {
  const said = [];
  for (const event of events) {
    const last = said.at(-1);
    if ('text' in event && last?.kind === event.kind && last.index === event.index) last.text += event.text;
    else said.push({ kind: event.kind, index: event.index, text: event.text, name: event.name, status: event.status, notes: event.notes });
  }
  return said.map((event) => JSON.stringify(event));
}

/** Only whole calls are callable, and each is one of the attempts. */
function callFault({ output, events }, { strict }) {
  const callable = output.attempts.filter(({ status }) => status === 'ok' || status === 'repaired');
  if (callable.length !== output.toolUses.length) return `${String(output.toolUses.length)} calls of ${String(callable.length)} callable attempts`;
  if (strict && callable.some(({ status }) => status === 'repaired')) return 'a call is repaired although repairs are off';
  const starts = events.filter(({ kind }) => kind === 'call-start').map(({ index }) => index);
  const ends = events.filter(({ kind }) => kind === 'call-end').map(({ index }) => index);
  return JSON.stringify(starts) === JSON.stringify(ends) && new Set(starts).size === starts.length ? undefined : `calls ${starts.join(' ')} begin and ${ends.join(' ')} end`;
}

/** What a cut output said before its end was said for good: it is the beginning of what the whole one says. */
function truncationFault(text, options, seed) {
  const length = seed % (text.length + 1);
  const reading = read([text.slice(0, length)], options, 'length');
  return faultOf(text.slice(0, length), reading);
}
