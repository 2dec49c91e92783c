import { itemAt, listOf, recordOf, wordsOf } from './sarif-json.ts';
import type { Json } from './sarif-json.ts';

/** What a result or a notification is a case of; the object is empty where the log does not hold it. */
export type SarifRule = {
  readonly id: string | null;
  readonly json: Json;
  /** The tables of texts that its messages name by id, the nearest first. */
  readonly texts: readonly unknown[];
};

/** The tool of a run, with what its results point at. */
export type SarifTool = {
  readonly name: string;
  readonly version: string | null;
  ruleOf(result: Json): SarifRule;
  descriptorOf(notification: Json): SarifRule;
};

const LONGEST_NAME = 200;
const LONGEST_ID = 300;

/** Opens the tool of a run; its rules are sorted by id once, when a result first needs that. */
export function openTool(run: Json): SarifTool {
  const tool = recordOf(run.tool);
  const driver = recordOf(tool.driver);
  const sorted = new Map<Json, ReadonlyMap<string, Json>>();
  const byId = (component: Json, id: string): Json | undefined => {
    const known = sorted.get(component) ?? sortById(component);
    sorted.set(component, known);
    return known.get(id);
  };
  const opened = (id: string | null, json: Json, component: Json): SarifRule => ({
    id: id ?? wordsOf(json.id, LONGEST_ID),
    json,
    texts: [json.messageStrings, component.globalMessageStrings, driver.globalMessageStrings],
  });
  return {
    name: wordsOf(driver.name, LONGEST_NAME) ?? 'a tool without a name',
    version: wordsOf(driver.semanticVersion, LONGEST_NAME) ?? wordsOf(driver.version, LONGEST_NAME),
    ruleOf(result) {
      const reference = recordOf(result.rule);
      const component = componentOf(reference, tool);
      const id = wordsOf(result.ruleId, LONGEST_ID) ?? wordsOf(reference.id, LONGEST_ID);
      const pointed = recordOf(itemAt(component.rules, result.ruleIndex) ?? itemAt(component.rules, reference.index));
      if (id === null || isCaseOf(id, pointed)) return opened(id, pointed, component);
      return opened(id, byId(component, id) ?? byId(driver, id) ?? byId(component, id.replace(/\/[^/]*$/, '')) ?? {}, component);
    },
    descriptorOf(notification) {
      const reference = recordOf(notification.descriptor);
      const component = componentOf(reference, tool);
      return opened(wordsOf(reference.id, LONGEST_ID), recordOf(itemAt(component.notifications, reference.index)), component);
    },
  };
}

function componentOf(reference: Json, tool: Json): Json {
  return recordOf(itemAt(tool.extensions, recordOf(reference.toolComponent).index) ?? tool.driver);
}

/** An id may go on behind the rule's own: `CA1000/generic` is a case of `CA1000`. */
function isCaseOf(id: string, rule: Json): boolean {
  const own = wordsOf(rule.id, LONGEST_ID);
  return own !== null && (id === own || id.startsWith(`${own}/`));
}

function sortById(component: Json): ReadonlyMap<string, Json> {
  const sorted = new Map<string, Json>();
  for (const value of listOf(component.rules)) {
    const rule = recordOf(value);
    const id = wordsOf(rule.id, LONGEST_ID);
    if (id !== null && !sorted.has(id)) sorted.set(id, rule);
  }
  return sorted;
}
