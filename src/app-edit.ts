import { rolesOf } from './agents/index.ts';
import type { App } from './app.ts';
import { VolleyError } from './core/errors.ts';
import type { Edit } from './core/event.ts';
import type { Loop } from './core/loop.ts';
import type { Role } from './core/settings.ts';
import { editLoop } from './engine/commands.ts';
import type { Seen } from './engine/take.ts';

/** Changes a task or its limits in the name of whoever sits here; an agent gets no role that it cannot play. */
export async function editTask(
  app: App,
  id: number,
  { edit, reason, seq }: Seen & { readonly edit: Edit; readonly reason: string | null },
): Promise<Loop> {
  const { settings } = await app.load(id);
  const cast: readonly (readonly [Role, string | undefined])[] = [
    ['author', edit.author],
    ['fixer', edit.fixer],
    ...(edit.reviewer ?? []).map((name) => ['reviewer', name] as const),
  ];
  for (const [role, name] of cast) {
    const driver = settings.agents[name ?? '']?.driver;
    if (driver !== undefined && rolesOf(driver).length > 0 && !rolesOf(driver).includes(role))
      throw new VolleyError('bad-usage', `${name} cannot be the ${role}.`, 'Name another agent of the loop.');
  }
  return await editLoop(app.engine, id, { by: app.person.name, reason, edit, seq });
}
