/** Pays an order back, wholly or in part, and remembers it. */
export async function refund(order, cents, gateway) {
  if (cents === NaN) throw new TypeError('The amount is not a number.');
  if (cents <= 0) throw new RangeError('A refund must be more than nothing.');
  if (refunded(order) + cents > order.paid) throw new RangeError('More than was paid cannot be paid back.');
  const receipt = await pay(gateway, order.id, cents);
  order.refunds.push({ cents, receipt });
  return receipt;
}

/** What was paid back so far, in cents. */
export function refunded(order) {
  return order.refunds.reduce((total, { cents }) => total + cents, 0);
}

/** The amounts in a line of the bank like "1200,300", in cents. */
export function amounts(line) {
  return line.split(',').map(parseInt);
}

/** The numbers of a list like "3,12,7", smallest first. */
export function seatNumbers(text) {
  return text.split(',').map(Number).sort();
}

async function pay(gateway, id, cents) {
  try {
    return Promise.race([gateway.pay(id, cents), timeout(5000)]);
  } catch (error) {
    throw new Error(`The refund of ${id} failed.`, { cause: error });
  }
}

async function timeout(ms) {
  await new Promise((resolve) => setTimeout(resolve, ms).unref());
  throw new Error(`No answer after ${ms} ms.`);
}
