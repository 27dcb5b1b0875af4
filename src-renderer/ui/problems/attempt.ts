/** What the user wanted when a problem came up. */
export type Attempt = 'load' | 'connect' | 'search' | 'rent' | 'stop' | 'destroy' | 'save'

/** What it means for money or access when the request certainly had no effect. */
export function unchanged(attempt: Attempt): string {
  switch (attempt) {
    case 'load':
      return 'What you see is the last known state; nothing was changed.'
    case 'connect':
      return 'No key was kept.'
    case 'search':
      return 'Nothing was rented or charged.'
    case 'rent':
      return 'Nothing was rented or charged.'
    case 'stop':
      return 'The instance goes on running and is charged as before.'
    case 'destroy':
      return 'The instance is still there and is charged as before.'
    case 'save':
      return 'Nothing was changed.'
  }
}

/** The same when the request may have taken effect although no good answer came. */
export function unclear(attempt: Attempt): string {
  switch (attempt) {
    case 'load':
    case 'connect':
    case 'search':
      return unchanged(attempt)
    case 'rent':
      return 'The machine may have been rented all the same: look at Instances before you rent again.'
    case 'stop':
      return 'The instance may still be running and charged: its state in the list decides.'
    case 'destroy':
      return 'The instance may still be there and charged: its state in the list decides.'
    case 'save':
      return 'The change may or may not have been made.'
  }
}
