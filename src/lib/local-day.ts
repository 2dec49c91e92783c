/** The calendar day of a moment in the time zone of this machine, as YYYY-MM-DD, and the moment at which it began. */
export function localDay(at: string): { readonly day: string; readonly since: string } {
  const moment = new Date(at);
  const [year, month, date] = [moment.getFullYear(), moment.getMonth(), moment.getDate()];
  const day = [String(year).padStart(4, '0'), String(month + 1).padStart(2, '0'), String(date).padStart(2, '0')].join('-');
  return { day, since: new Date(year, month, date).toISOString() };
}
