import { z } from 'zod';

/**
 * One tool, declared for a library that takes JSON Schema and for one that takes Zod, with a call that every path has to
 * answer with the same text, and one that every path has to refuse.
 *
 * @typedef {object} Workload
 * @property {string} name
 * @property {string} tool
 * @property {object} schema - JSON Schema 2020-12.
 * @property {z.ZodObject} zod - The same, strict.
 * @property {string} text - Arguments that are valid once defaults are filled in.
 * @property {string} wrong - Arguments of the right size that break the schema.
 * @property {(input: any) => object} run - The handler; synchronous.
 */

const closed = (properties, required) => ({ type: 'object', properties, required, additionalProperties: false });

/** @type {Workload} */
export const small = {
  name: 'small',
  tool: 'find-window',
  schema: closed({ service: { type: 'string', maxLength: 64 }, days: { type: 'integer', minimum: 1, default: 7 } }, ['service']),
  zod: z.strictObject({ service: z.string().max(64), days: z.int().min(1).default(7) }),
  text: '{"service":"checkout-eu-central-1-production-a"}',
  wrong: '{"service":"checkout-eu-central-1-production-a","days":"7"}',
  run: ({ service, days }) => ({ service, windows: [], days }),
};

const item = {
  sku: { type: 'string', minLength: 1, maxLength: 40 },
  count: { type: 'integer', minimum: 1 },
  price: { type: 'number', minimum: 0 },
  tags: { type: 'array', items: { type: 'string' }, maxItems: 8 },
  gift: { type: 'boolean' },
};
const zodItem = z.strictObject({
  sku: z.string().min(1).max(40),
  count: z.int().min(1),
  price: z.number().min(0),
  tags: z.array(z.string()).max(8),
  gift: z.boolean(),
});
const address = ['street', 'city', 'country'];

const orderSchema = closed(
  {
    customer: { type: 'string' },
    address: closed(Object.fromEntries(address.map((name) => [name, { type: 'string' }])), address),
    currency: { enum: ['EUR', 'USD', 'GBP'] },
    items: { type: 'array', items: closed(item, Object.keys(item)) },
    note: { type: 'string', default: '' },
  },
  ['customer', 'address', 'currency', 'items'],
);
const orderZod = z.strictObject({
  customer: z.string(),
  address: z.strictObject(Object.fromEntries(address.map((name) => [name, z.string()]))),
  currency: z.enum(['EUR', 'USD', 'GBP']),
  items: z.array(zodItem),
  note: z.string().default(''),
});

function order(count) {
  return {
    customer: 'Ana Márquez',
    address: { street: 'Calle Mayor 5', city: 'Madrid', country: 'ES' },
    currency: 'EUR',
    items: Array.from({ length: count }, (_, index) => ({
      sku: `item-${1000 + index}`,
      count: 1 + (index % 4),
      price: 9.95 + index,
      tags: ['new', 'sale'],
      gift: index % 2 === 0,
    })),
  };
}

/** @type {(name: string, count: number) => Workload} */
const orders = (name, count) => {
  const made = order(count);
  return {
    name,
    tool: 'place-order',
    schema: orderSchema,
    zod: orderZod,
    text: JSON.stringify(made),
    wrong: JSON.stringify({ ...made, currency: 'DOGE' }),
    run: ({ items, currency, note }) => ({
      lines: items.length,
      total: items.reduce((sum, { price, count: each }) => sum + price * each, 0),
      currency,
      note,
    }),
  };
};

/** About 50 bytes, 1 KB and 100 KB of arguments. */
export const workloads = [small, orders('1 KB', 10), orders('100 KB', 1_250)];
