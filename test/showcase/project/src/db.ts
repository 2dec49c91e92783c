/** What the code needs of a database: parameters are bound, never pasted. */
export type Db = {
  get(sql: string, ...values: readonly unknown[]): Promise<Row | undefined>;
  all(sql: string, ...values: readonly unknown[]): Promise<readonly Row[]>;
  run(sql: string, ...values: readonly unknown[]): Promise<void>;
};

export type Row = Readonly<Record<string, any>>;
