import { randomUUID } from 'node:crypto';
import { priceOf } from './prices.js';

/** A book of orders that lives in memory. */
export function openBook() {
  const orders = new Map();
  return {
    order(area, seats) {
      const order = { id: randomUUID(), area, seats, paid: priceOf(area, seats), refunds: [] };
      orders.set(order.id, order);
      return order;
    },
    find(id) {
      return orders.get(id);
    },
  };
}
