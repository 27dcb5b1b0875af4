import type { ActivityEvent } from '#domain/instances/activity.ts'
import { editorNames } from '#domain/instances/editor-link.ts'
import { actionWords } from '#domain/instances/action-words.ts'
import { problemText } from '#ui/problems/problem-text.ts'
import type { Tone } from '#ui/tone.ts'
import { statusText, stoppedText } from './instance-text.ts'

export interface ActivityText {
  readonly tone: Tone
  readonly icon: string
  readonly text: string
}

const addressNames = {
  direct: 'Direct address',
  proxy: 'Service’s SSH address',
  either: 'SSH address',
} as const

/** What Slipway saw or did, in a line. */
export function activityText(event: ActivityEvent): ActivityText {
  switch (event.kind) {
    case 'appeared':
      return seen('neutral', `First listed: ${markOf(event, event.status).label}`)
    case 'rented':
      return done('good', `Rented from offer ${event.offerId}`)
    case 'status': {
      const to = markOf(event, event.to)
      return seen(to.tone, `${to.label} (before: ${statusText(event.from).label})`)
    }
    case 'address':
      return seen(
        'neutral',
        event.address === null
          ? `${addressNames[event.of ?? 'either']}: no longer listed`
          : `${addressNames[event.of ?? 'either']}: ${event.address}`,
      )
    case 'gone':
      return event.asked
        ? seen('good', 'Destroyed: no longer listed, and charges have ended')
        : seen('warning', 'No longer listed, though Slipway didn’t request it')
    case 'asked':
      return event.by === 'user'
        ? done('neutral', `${actionWords[event.action].verb} requested`)
        : done('warning', `${actionWords[event.action].verb} requested by an auto-stop rule or auto-retry`)
    case 'refused':
      return done(
        'bad',
        `${actionWords[event.action].verb} failed: ${problemText(event.problem, event.action).title}`,
      )
    case 'unclear':
      return done(
        'warning',
        `No clear answer to ${event.action}: ${problemText(event.problem, event.action).title}`,
      )
    case 'terminal-opened':
      return done('neutral', 'Terminal opened')
    case 'command-run':
      return done('neutral', 'Command run')
    case 'editor-opened':
      return done('neutral', `Opened in ${editorNames[event.editor]}`)
    case 'port-opened':
      return done('neutral', `Port ${event.port} opened in the browser`)
  }
}

function markOf({ isStopped = false }: { readonly isStopped?: boolean | undefined }, status: string | null) {
  return isStopped ? stoppedText : statusText(status)
}

function seen(tone: Tone, text: string): ActivityText {
  return { tone, icon: 'i-lucide-eye', text }
}

function done(tone: Tone, text: string): ActivityText {
  return { tone, icon: 'i-lucide-hand', text }
}
