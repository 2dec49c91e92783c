/** A file that the built-in reviewer rejects, with one finding of severity high on line 2. */
export const DEFECT = 'export const save = (items, db) =>\n  items.forEach(async (item) => {\n    await db.save(item);\n  });\n';

/** The same file, mended. */
export const MENDED = 'export const save = async (items, db) => {\n  for (const item of items) await db.save(item);\n};\n';
