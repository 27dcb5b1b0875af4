import type { ActivityEvent } from '#domain/instances/activity.ts'
import { problemText } from '#ui/problems/problem-text.ts'
import type { Tone } from '#ui/tone.ts'
import { statusText } from './instance-text.ts'

export interface ActivityText {
  readonly tone: Tone
  readonly icon: string
  readonly text: string
}

const verbs = { stop: 'Stop', destroy: 'Destroy' } as const

/** What Slipway saw or did, in a line. */
export function activityText(event: ActivityEvent): ActivityText {
  switch (event.kind) {
    case 'appeared':
      return seen('neutral', `First seen in the list: ${statusText(event.status).label}`)
    case 'rented':
      return done('good', `Rented from offer ${event.offerId}`)
    case 'status': {
      const to = statusText(event.to)
      return seen(to.tone, `${to.label}, after: ${statusText(event.from).label}`)
    }
    case 'address':
      return seen(
        'neutral',
        event.address === null ? 'It has no SSH address any more' : `SSH address: ${event.address}`,
      )
    case 'gone':
      return event.asked
        ? seen('good', 'Gone from the list: it is destroyed, and its billing has ended')
        : seen('warning', 'Gone from the list, though Slipway had not asked for it')
    case 'asked':
      return event.by === 'user'
        ? done('neutral', `${verbs[event.action]} was asked for`)
        : done('warning', `${verbs[event.action]} was asked for by a guard, or by trying until one runs`)
    case 'refused':
      return done('bad', `${verbs[event.action]} failed: ${problemText(event.problem, event.action).title}`)
    case 'unclear':
      return done(
        'warning',
        `No good answer to ${event.action}: ${problemText(event.problem, event.action).title}`,
      )
    case 'terminal-opened':
      return done('neutral', 'Terminal opened')
    case 'command-run':
      return done('neutral', 'A command was run')
    case 'vscode-opened':
      return done('neutral', 'Opened in VS Code')
    case 'port-opened':
      return done('neutral', `Port ${event.port} opened in the browser`)
  }
}

function seen(tone: Tone, text: string): ActivityText {
  return { tone, icon: 'i-lucide-eye', text }
}

function done(tone: Tone, text: string): ActivityText {
  return { tone, icon: 'i-lucide-hand', text }
}
