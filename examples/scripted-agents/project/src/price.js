/** The price of a number of pieces, in euros. */
export function total(price, pieces) {
  return price * pieces;
}
