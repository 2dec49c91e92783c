import { createServer } from 'node:http';
import { openBook } from './orders.js';

/** The service: POST /orders {area, seats}, GET /orders/ID. */
export function makeServer(book = openBook()) {
  return createServer(async (request, response) => {
    try {
      const { status, body } = await answer(book, request);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    } catch (error) {
      response.writeHead(400).end(JSON.stringify({ error: error.message }));
    }
  });
}

async function answer(book, request) {
  if (request.method === 'POST' && request.url === '/orders') {
    const { area, seats } = JSON.parse(await textOf(request));
    return { status: 201, body: book.order(area, seats) };
  }
  const order = book.find(request.url.replace('/orders/', ''));
  return order === undefined ? { status: 404, body: { error: 'There is no such order.' } } : { status: 200, body: order };
}

async function textOf(stream) {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

if (import.meta.main) makeServer().listen(8080, '127.0.0.1');
