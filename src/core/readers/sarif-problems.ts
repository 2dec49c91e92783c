import { listOf, recordOf, wordsOf } from './sarif-json.ts';
import type { Json } from './sarif-json.ts';
import { messageText } from './sarif-message.ts';
import type { SarifTool } from './sarif-rules.ts';

const LONGEST = 500;

/** Why the results of a run are not the whole truth: what the tool says went wrong, or where the rest of them lies. */
export function* problemsOf(run: Json, tool: SarifTool): Generator<string> {
  if (run.results === null) yield `${tool.name} made no analysis`;
  if (listOf(recordOf(run.externalPropertyFileReferences).results).length > 0) yield `${tool.name} keeps results in another file`;
  for (const value of listOf(run.invocations)) {
    const invocation = recordOf(value);
    if (invocation.executionSuccessful === false) yield `${tool.name} did not succeed${reasonOf(invocation)}`;
    for (const list of [invocation.toolExecutionNotifications, invocation.toolConfigurationNotifications]) {
      for (const notification of listOf(list)) {
        const words = errorOf(recordOf(notification), tool);
        if (words !== null) yield `${tool.name}: ${words}`;
      }
    }
  }
}

function reasonOf(invocation: Json): string {
  const words =
    wordsOf(invocation.exitCodeDescription, LONGEST) ??
    wordsOf(invocation.processStartFailureMessage, LONGEST) ??
    wordsOf(invocation.exitSignalName, LONGEST);
  if (words !== null) return `: ${words}`;
  return typeof invocation.exitCode === 'number' ? `: exit code ${invocation.exitCode}` : '';
}

function errorOf(notification: Json, tool: SarifTool): string | null {
  const descriptor = tool.descriptorOf(notification);
  const level = notification.level ?? recordOf(descriptor.json.defaultConfiguration).level;
  if (level !== 'error') return null;
  return wordsOf(messageText(notification.message, descriptor), LONGEST) ?? descriptor.id ?? 'an error without words';
}
