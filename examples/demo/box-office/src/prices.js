const CENTS = { stalls: 4200, balcony: 2800 };

/** The price of some seats in cents; groups of ten and more get a tenth off. */
export function priceOf(area, seats) {
  const each = CENTS[area];
  if (each === undefined) throw new RangeError(`There is no area ${area}.`);
  const full = each * seats;
  return seats >= 10 ? Math.round(full * 0.9) : full;
}
