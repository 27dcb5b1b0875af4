/** What some of the files say. */
export const machineNote = {
  ...{ identity: { machineId: 5, startedAt: 1000 }, accepted: ['cores'], check: null, speed: null, at: 5 },
}

export const pushedProject = {
  ...{ id: 'p', instanceId: 7, local: '/here/app', remote: '~/app', honorGitignore: true },
  ...{ excludes: ['*.ckpt'], removeGone: false, pushOnSave: true },
}

export const placesKept = {
  local: { bookmarks: ['/home/kim/data'], last: '/home/kim' },
  instances: { 7: { bookmarks: [], last: '/root' } },
}

/** As it was, with a British name. */
export const transfer = {
  ...{ id: 't', choice: null, failed: null },
  order: {
    ...{ instanceId: 7, direction: 'upload', from: '/a', names: ['b'], to: '/c' },
    honourGitignore: false,
  },
}
const { honourGitignore: honorGitignore, ...formerOrder } = transfer.order
/** As it was, as an upload. */
export const formerTransfer = { ...transfer, order: { ...formerOrder, honorGitignore } }
const { instanceId, direction: _, ...order } = formerTransfer.order
export const latestTransfer = {
  ...transfer,
  order: { ...order, source: { side: 'local' }, target: { side: 'remote', instanceId } },
}

export const terminal = {
  ...{ key: '3f0c3f6e-8d1c-4a52-9f3b-0c5a3f6e8d1c', instanceId: 7, name: null, title: 'top' },
}

export const guard = {
  ...{ instanceId: 7, action: 'stop', condition: { kind: 'after', hours: 2 }, id: 'g', setAt: 5 },
  ...{ notBefore: null, warnedFor: null, state: { kind: 'armed' }, absentSince: null },
}

export const forward = {
  ...{ id: 'f', instanceId: 7, isOn: true },
  plan: { kind: 'dynamic', entrance: { port: 1080, reach: 'loopback' } },
}

export const fired = {
  ...{ id: 'h', instanceId: 7, action: 'stop', condition: guard.condition },
  ...{ dueAt: 1, firedAt: 2, doneAt: 3, outcome: 'done' },
}
