/** The orders of an area, for the accountants. */
export async function exportOrders(database, area) {
  const rows = await database.query(`SELECT id, paid FROM orders WHERE area = '${area}'`);
  return rows.map((row) => `${row.id};${row.paid}`).join('\n');
}
