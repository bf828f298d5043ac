// Argument texts of four sizes, and shapes that a stranger may send. Deterministic: the same texts in each run.

/** A small generator of repeatable numbers in [0, 1) (mulberry32). */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const WORDS = 'order invoice customer shipment refund ticket window release branch server region quota latency owner'.split(' ');

function pick(random, list) {
  return list[Math.floor(random() * list.length)];
}

function sentence(random, words) {
  return Array.from({ length: words }, () => pick(random, WORDS)).join(' ');
}

function id(random) {
  return Array.from({ length: 22 }, () => '0123456789abcdefghijklmnopqrstuvwxyz'[Math.floor(random() * 36)]).join('');
}

/** Arguments of about 100 bytes. */
export function smallArguments(random) {
  return {
    orderId: id(random),
    amount: Math.floor(random() * 100_000),
    reason: sentence(random, 2),
    notify: random() < 0.5,
  };
}

/** One record of about 300 bytes: names, ids, text, numbers, lists, nesting. */
export function record(random) {
  return {
    id: id(random),
    kind: pick(random, WORDS),
    title: sentence(random, 4),
    count: Math.floor(random() * 1_000),
    price: Math.round(random() * 1_000_000) / 100,
    score: random(),
    active: random() < 0.5,
    parent: random() < 0.5 ? null : id(random),
    tags: [pick(random, WORDS), pick(random, WORDS), pick(random, WORDS)],
    note: random() < 0.3 ? `${sentence(random, 3)}\n"${sentence(random, 3)}"` : sentence(random, 6),
    place: { region: pick(random, WORDS), row: Math.floor(random() * 50), column: Math.floor(random() * 50) },
  };
}

/** Arguments of about the given number of bytes. */
export function mixedArguments(random, bytes) {
  const rows = [];
  for (let size = 60; size < bytes; size += JSON.stringify(rows.at(-1)).length + 1) rows.push(record(random));
  return { query: sentence(random, 3), limit: 50, rows };
}

/** The same text in one piece, as a network library hands it over. */
function flat(text) {
  return Buffer.from(text).toString();
}

/** The four sizes of the bars; several texts each, so that no single one is learnt by heart. */
export function sizedTexts() {
  const random = createRandom(1);
  const texts = (count, make) => Array.from({ length: count }, () => JSON.stringify(make()));
  return [
    { name: '100 B', texts: texts(64, () => smallArguments(random)) },
    { name: '2 KB', texts: texts(16, () => mixedArguments(random, 2_000)) },
    { name: '100 KB', texts: texts(4, () => mixedArguments(random, 100_000)) },
    { name: '2 MB', texts: texts(1, () => mixedArguments(random, 2_000_000)) },
  ];
}

/** Other ordinary texts and hostile ones, about 100 KB each. */
export function shapedTexts() {
  const random = createRandom(2);
  const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));
  const fill = (piece, bytes = 100_000) => piece.repeat(Math.ceil(bytes / piece.length));
  return [
    ['long text', JSON.stringify(many(20, () => sentence(random, 700)))],
    ['long text with line feeds', JSON.stringify(many(20, () => many(100, () => sentence(random, 7)).join('\n')))],
    ['non-ASCII text', JSON.stringify(many(300, () => `größe ${sentence(random, 4)} 値段は${Math.floor(random() * 1e4)}円です 😀`))],
    ['the same, escaped', JSON.stringify(many(300, () => `größe ${sentence(random, 4)} 値段は${Math.floor(random() * 1e4)}円です 😀`)).replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)],
    ['integers', JSON.stringify(many(15_000, () => Math.floor(random() * 1e6)))],
    ['fractions', JSON.stringify(many(5_000, () => random()))],
    ['exponents of three digits', `[${fill('1.5e-300,')}1]`],
    ['pretty-printed', JSON.stringify(many(150, () => record(random)), null, 2)],
    ['white space only', `[${fill(' ')}1]`],
    ['empty strings', `[${fill('"",')}1]`],
    ['escaped quotes', `["${fill('\\"')}"]`],
    ['backslashes', `["${fill('\\\\')}"]`],
    ['empty objects', `[${fill('{},')}1]`],
    ['64 names an object', JSON.stringify(many(120, () => Object.fromEntries(many(64, (index) => [`n${index}`, index]))))],
    ['65 names an object', JSON.stringify(many(120, () => Object.fromEntries(many(65, (index) => [`n${index}`, index]))))],
    ['one wide object', JSON.stringify(Object.fromEntries(many(7_000, (index) => [`name${index}`, index])))],
    ['one wide object, integer names', JSON.stringify(Object.fromEntries(many(9_000, (index) => [String(index * 7), index])))],
    ['one escaped name', JSON.stringify({ 'a\n': 1, ...mixedArguments(random, 100_000) })],
    ['16-digit integers', JSON.stringify(many(6_000, () => 9_000_000_000_000_000 + Math.floor(random() * 1e6)))],
    ['integers of 20 digits, exact', JSON.stringify(many(4_700, () => 'N')).replaceAll('"N"', '18446744073709551616')],
    ['escaped name, then 8 names an object', `{"\\u0061b":${JSON.stringify(many(2_000, (index) => Object.fromEntries(many(8, (name) => [`n${name}`, index]))))}}`],
    ['escaped name, then 64 names an object', `{"\\u0061b":${JSON.stringify(many(120, () => Object.fromEntries(many(64, (name) => [`n${name}`, name]))))}}`],
    ['escaped name, then white space', `{"\\u0061b":[${fill(' ')}1]}`],
    ['escaped name, then empty strings', `{"\\u0061b":[${fill('"",')}1]}`],
    ['escaped name, then escaped quotes', `{"\\u0061b":["${fill('\\"')}"]}`],
    ['escaped name, then long text', `{"\\u0061b":${JSON.stringify(many(20, () => sentence(random, 700)))}}`],
    ['escaped name, then fractions', `{"\\u0061b":${JSON.stringify(many(5_000, () => random()))}}`],
    ['escaped name, then large exponents', `{"\\u0061b":[${fill('1e300,')}1]}`],
    ['escaped name, then integers', `{"\\u0061b":${JSON.stringify(many(15_000, () => Math.floor(random() * 1e6)))}}`],
    ['ordinary, with a fault at the end', `${JSON.stringify(mixedArguments(random, 100_000))}x`],
    ['ordinary, cut off', JSON.stringify(mixedArguments(random, 100_000)).slice(0, -1)],
    ['ordinary, with a duplicate at the end', JSON.stringify(mixedArguments(random, 100_000)).replace(/}$/, ',"rows":1}')],
    ['line feeds before a fault', `[${fill('\n')}x`],
    ['names that collide', `[${many(3_000, (index) => `{"a":1,"b":2,"c${index}":3}`).join(',')}]`],
  ].map(([name, text]) => ({ name, texts: [flat(text)] }));
}
