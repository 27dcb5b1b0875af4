import { editorNames, type Editor } from '#domain/instances/editor-link.ts'
import type { LinkOutcome } from '#domain/instances/link-outcome.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'

/** What of each editor opens an instance. */
export const editorNeeds: Readonly<Record<Editor, string>> = {
  vscode: 'VS Code with its Remote – SSH extension',
  cursor: 'Cursor with its Remote SSH extension',
  zed: 'Zed',
  gateway: 'JetBrains Gateway',
}

/** Why a link was not opened; `null` when it was. */
export function linkText(outcome: LinkOutcome, by: Editor | 'browser'): ProblemText | null {
  const program = by === 'browser' ? 'your browser' : editorNames[by]
  switch (outcome) {
    case 'opened':
      return null
    case 'opened-unanswered':
      return {
        title: `Opened in ${program}, but no address answered`,
        meaning: `${program} got the direct address. Neither that one nor the service’s SSH address answered within 3 seconds.`,
        nextStep: `If ${program} can’t connect, wait a minute, then try again.`,
      }
    case 'gone':
      return {
        title: 'Nothing to open anymore',
        meaning: 'The service no longer lists this instance or this port.',
        nextStep: 'Check the list of instances.',
      }
    case 'no-address':
      return {
        title: 'The instance has no SSH address yet',
        meaning: `${program} can’t find it without one.`,
        nextStep:
          'Wait until it’s running, or choose another address: on the instance’s page, under Connect, select Change…. Then try again.',
      }
    case 'needs-alias':
      return {
        title: 'A link can’t contain this address',
        meaning: `${program} opens an IPv6 address only by a name in the SSH configuration.`,
        nextStep: 'Add the instance to the SSH configuration, then try again.',
      }
    case 'no-program':
      return {
        title: `Couldn’t open ${program}`,
        meaning: 'No program is registered for this kind of link, or it couldn’t start.',
        nextStep:
          by === 'browser'
            ? 'Copy the address and open it yourself.'
            : `Install ${editorNeeds[by]}, or use the SSH command.`,
      }
  }
}

export const vaultKeyOnlyText =
  'Editors and ssh can’t use Slipway’s key, which stays in the keychain. Set an identity file in Settings, or start an SSH agent.'
