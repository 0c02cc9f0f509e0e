import { AgentError } from '@turnwright/contracts';

/** A time of day without a zone, as the server's clock showed it. */
export type LocalTime = Date;

/** Reads `2026-01-15T12:34:56`. throws AgentError `bad-option` */
export function parseTime(text: string): LocalTime {
  const time = new Date(/(?:Z|[-+][0-9]{2}:?[0-9]{2})$/.test(text) ? text : `${text}Z`);
  if (Number.isNaN(time.getTime())) throw new AgentError('bad-option', `Time "${text}": expected an ISO time such as 2026-01-15T12:34:56.`, { fields: { text } });
  return time;
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** `datetime.strftime(format)` in the C locale; an unknown directive stays as it is. */
export function formatTime(time: LocalTime, format: string): string {
  return format.replace(/%([-_0]?)([a-zA-Z%])/g, (whole, flag: string, directive: string) => {
    const value = PARTS[directive]?.(time);
    if (value === undefined) return whole;
    return flag === '-' && /^[0-9]+$/.test(value) ? String(Number(value)) : value;
  });
}

const two = (value: number): string => String(value).padStart(2, '0');

function dayOfYear(time: LocalTime): number {
  return Math.floor((Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()) - Date.UTC(time.getUTCFullYear(), 0, 1)) / 86_400_000) + 1;
}

function weekOfYear(time: LocalTime, firstDay: 0 | 1): string {
  return two(Math.floor((dayOfYear(time) + 6 - ((time.getUTCDay() + 7 - firstDay) % 7)) / 7));
}

const PARTS: Readonly<Record<string, (time: LocalTime) => string>> = {
  '%': () => '%',
  Y: (time) => String(time.getUTCFullYear()),
  y: (time) => two(time.getUTCFullYear() % 100),
  m: (time) => two(time.getUTCMonth() + 1),
  d: (time) => two(time.getUTCDate()),
  e: (time) => String(time.getUTCDate()).padStart(2, ' '),
  H: (time) => two(time.getUTCHours()),
  I: (time) => two(time.getUTCHours() % 12 || 12),
  M: (time) => two(time.getUTCMinutes()),
  S: (time) => two(time.getUTCSeconds()),
  f: (time) => String(time.getUTCMilliseconds() * 1000).padStart(6, '0'),
  p: (time) => (time.getUTCHours() < 12 ? 'AM' : 'PM'),
  B: (time) => MONTHS[time.getUTCMonth()] ?? '',
  b: (time) => (MONTHS[time.getUTCMonth()] ?? '').slice(0, 3),
  A: (time) => DAYS[time.getUTCDay()] ?? '',
  a: (time) => (DAYS[time.getUTCDay()] ?? '').slice(0, 3),
  w: (time) => String(time.getUTCDay()),
  u: (time) => String(time.getUTCDay() || 7),
  j: (time) => String(dayOfYear(time)).padStart(3, '0'),
  U: (time) => weekOfYear(time, 0),
  W: (time) => weekOfYear(time, 1),
  F: (time) => formatTime(time, '%Y-%m-%d'),
  T: (time) => formatTime(time, '%H:%M:%S'),
  D: (time) => formatTime(time, '%m/%d/%y'),
  R: (time) => formatTime(time, '%H:%M'),
  c: (time) => formatTime(time, '%a %b %e %H:%M:%S %Y'),
  x: (time) => formatTime(time, '%m/%d/%y'),
  X: (time) => formatTime(time, '%H:%M:%S'),
  Z: () => '',
  z: () => '',
};
