import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forwardHostName, forwardLabel, portWords } from '#domain/forwards/forward-name.ts'
import { planForPort, type ForwardPlan } from '#domain/forwards/forward.ts'

let ids = 0
const forward = (part: { name?: string; isJupyter?: boolean; plan?: ForwardPlan; instanceId?: number }) => ({
  ...{ id: `f${(ids += 1)}`, instanceId: 7, name: '', isJupyter: false, plan: planForPort(6006) },
  ...part,
})

describe('what a forward is called', () => {
  it('is its user’s name, else what is known, else its port with what is usual there', () => {
    expect(forwardLabel(forward({ name: 'Loss', isJupyter: true }))).toBe('Loss')
    expect(forwardLabel(forward({ isJupyter: true }))).toBe('Jupyter')
    expect(forwardLabel(forward({}))).toBe('port 6006 (usually TensorBoard)')
    expect(portWords(9000)).toBe('port 9000')
  })

  it('is where it leads, when that is elsewhere', () => {
    const entrance = { port: 1080, reach: 'loopback' } as const
    const to = { host: '10.0.0.5', port: 5432 }
    expect(forwardLabel(forward({ plan: { kind: 'local', entrance, to } }))).toBe('10.0.0.5:5432')
    expect(forwardLabel(forward({ plan: { kind: 'remote', entrance, to } }))).toBe('remote port 1080')
    expect(forwardLabel(forward({ plan: { kind: 'dynamic', entrance } }))).toBe('SOCKS proxy 1080')
  })
})

describe('the host name of a forward', () => {
  it('is its name and its instance, in plain characters', () => {
    const of = (name: string) => forwardHostName(forward({ name }), [])
    expect(of('TensorBoard')).toBe('tensorboard-7.localhost')
    expect(of(' Loss & läufe/2 ')).toBe('loss-laufe-2-7.localhost')
    expect(of('図')).toBe('port-6006-7.localhost')
    expect(forwardHostName(forward({ isJupyter: true }), [])).toBe('jupyter-7.localhost')
  })

  it('has the port in it where another one of the instance came first', () => {
    const first = forward({ name: 'Web UI' })
    const second = forward({ name: 'web-ui', plan: planForPort(8188) })
    const elsewhere = forward({ name: 'Web UI', instanceId: 17 })
    const all = [first, second, elsewhere]
    expect(all.map((one) => forwardHostName(one, all))).toEqual([
      'web-ui-7.localhost',
      'web-ui-8188-7.localhost',
      'web-ui-17.localhost',
    ])
  })

  it('is a name that browsers take as it is, whatever the user typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat(), (name, instanceId) => {
        const host = forwardHostName(forward({ name, instanceId }), [])
        expect(host).toMatch(/^[a-z0-9][a-z0-9-]{0,62}\.localhost$/)
        expect(new URL(`http://${host}:8888/`).hostname).toBe(host)
      }),
    )
  })
})
