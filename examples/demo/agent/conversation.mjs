// What is asked, and what the scripted model says. A real model finds its own way.

export const QUESTION =
  'How much did Acme order in 2025? Write a short report into reports/, and mail it to orders@acme.example.';

export const INSTRUCTIONS =
  'You work in a small office. Use the tools; never invent figures. If a tool is refused, say so and go on.';

const REPORT = '# Acme, orders of 2025\n3 orders\n4100 in all\n';

/** @type {import('@toolgate/testing').Script} */
export const script = {
  pieceLength: 24,
  turns: [
    {
      text: 'I look up the orders, the house style and the exchange rate.',
      calls: [
        {
          name: 'query_orders',
          arguments: { sql: "SELECT day, amount FROM orders WHERE customer = 'Acme' ORDER BY day" },
        },
        { name: 'read_file', arguments: { path: 'house-style.md' } },
        { name: 'exchange_rate', arguments: { from: 'EUR', to: 'USD' } },
      ],
    },
    {
      text: 'The rate is not available, so I stay with euros.',
      calls: [{ name: 'calculate', arguments: { operation: 'add', numbers: [1200.5, 860, 2039.5] } }],
    },
    { calls: [{ name: 'write_file', arguments: { path: 'reports/acme-2025.md', content: REPORT } }] },
    {
      calls: [
        {
          name: 'send_mail',
          arguments: { to: 'orders@acme.example', subject: 'Your orders of 2025', body: REPORT },
        },
      ],
    },
    {
      text: 'Acme ordered 4,100 euros in 2025, in 3 orders. The report is in reports/acme-2025.md. What became of the mail is said above.',
    },
  ],
};
