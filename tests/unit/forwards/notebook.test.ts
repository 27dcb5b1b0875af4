import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { notebookOn } from '#services/forwards/notebook.ts'

const line = (told: object): string => JSON.stringify({ base_url: '/', secure: false, token: '', ...told })

describe('a Jupyter server on a port', () => {
  it('is opened with its token, the newest of those that tell of the port', () => {
    const listing = [
      line({ port: 8889, token: 'other' }),
      line({ port: 8888, token: 'abc123' }),
      line({ port: 8888, token: 'stale' }),
    ].join('\n')
    expect(notebookOn(8888, listing)).toEqual({ scheme: 'http', entry: '/?token=abc123' })
    expect(notebookOn(8080, listing)).toBeNull()
  })

  it('keeps its path and its encryption, and needs no token where it has none', () => {
    expect(
      notebookOn(8888, line({ port: 8888, base_url: '/user/kim/', secure: true, token: 'a-b' })),
    ).toEqual({
      scheme: 'https',
      entry: '/user/kim/?token=a-b',
    })
    expect(notebookOn(8888, line({ port: 8888 }))).toEqual({ scheme: 'http', entry: '/' })
  })

  it.each([
    { token: 'a&next=//evil.example' },
    { token: 'a b' },
    { token: 5 },
    { base_url: '//evil.example/' },
    { base_url: '/../' },
    { base_url: '/?x' },
    { base_url: '@evil.example/' },
    { secure: 'yes' },
  ])('that tells %j is not taken', (odd) => {
    expect(notebookOn(8888, line({ port: 8888, ...odd }))).toBeNull()
  })

  it('whatever is told, stays on this computer', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (path, token) => {
        const found = notebookOn(8888, line({ port: 8888, base_url: path, token }))
        expect(new URL(`http://127.0.0.1:8888${found?.entry ?? '/'}`).host).toBe('127.0.0.1:8888')
      }),
    )
  })

  it('is not found in what is no JSON', () => {
    expect(notebookOn(8888, 'cat: no such file\n{"port": 88')).toBeNull()
  })
})
