import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readEnvFlags } from '../../simulator/env-flags.ts'

describe('the flags of a template', () => {
  it.each([
    ['', {}],
    ['  \n ', {}],
    ['-e A=1', { A: '1' }],
    ['-e A=1 -e B=2 -p 80:8080', { A: '1', B: '2', '-p 80:8080': '1' }],
    ['-eA=1 -e=B=2 --env C=3 --env=D=4', { A: '1', B: '2', C: '3', D: '4' }],
    ['-p80:80 -p=81:81 --publish 82:82 --publish=83:83', ports('80:80', '81:81', '82:82', '83:83')],
    ['-p 53:53/udp -p 53:53/tcp', ports('53:53/udp', '53:53/tcp')],
    ['-p 1000-1002:2000-2002/udp', ports('1000:2000/udp', '1001:2001/udp', '1002:2002/udp')],
    ['-p 65535:65535', ports('65535:65535')],
    ['-e EMPTY=', { EMPTY: '' }],
    ['-e A=b=c', { A: 'b=c' }],
    ['-e A="two words" -e \'B=it is\' "-e" C=1', { A: 'two words', B: 'it is', C: '1' }],
    [`-e A='"$HOME"' -e B="\\"\\$HOME\\" \\n"`, { A: '"$HOME"', B: '"$HOME" \\n' }],
    ['-e A=a\\ b\\"c', { A: 'a b"c' }],
    ['-e A=1 \\\n -e B=2', { A: '1', B: '2' }],
    ['-e A=1 -e A=2', { A: '2' }],
    ['-e A=🚢', { A: '🚢' }],
    ['--shm-size 1g -e A=1 -v /a:/b --gpus=all -p 80:80', { A: '1', ...ports('80:80') }],
    ['-v "/a b:/c" d -e A=1', { A: '1' }],
  ])('%j are %j', (flags, env) => {
    expect(readEnvFlags(flags)).toEqual({ kind: 'env', env })
  })

  it.each([
    ['A=1', 'expected a flag, received "A=1"'],
    ['-e B=2 A=1', 'expected a flag, received "A=1"'],
    ['-e', '-e has no value'],
    ['-p 80:80 --publish', '--publish has no value'],
    ['-e A', '-e "A": expected NAME=<value>'],
    ['-e =1', '-e "=1": expected NAME=<value>'],
    ['-p 80', '-p "80": expected <host_port>:<container_port>'],
    ['-p 0:80', '-p "0:80"'],
    ['-p 80:80/icmp', '-p "80:80/icmp"'],
    ['-p 127.0.0.1:80:80', '-p "127.0.0.1:80:80"'],
    ['-p 1000-1002:1000-1001', 'two ranges of one length'],
    ['-p 1002-1000:1002-1000', 'two ranges of one length'],
    ['-p 1-65536:1-65536', 'expected <host_port>:<container_port>'],
    ['-p 1-40000:1-40000 -p 1-40000:1-40000', 'more than 65535 entries'],
    ['-e A="1', 'character 6 has no end'],
    ['-e A=\\', 'character 6 has no end'],
  ])('%j are wrong', (flags, problem) => {
    const reading = readEnvFlags(flags)
    expect(reading.kind === 'wrong' ? reading.problem : reading).toContain(problem)
  })

  it('give back whatever was quoted', () => {
    const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
    const value = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'))
    const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]*$/)
    fc.assert(
      fc.property(fc.dictionary(name, value), (env) => {
        const flags = Object.entries(env).map(([key, text]) => `-e ${quote(`${key}=${text}`)}`)
        expect(readEnvFlags(flags.join(' '))).toEqual({ kind: 'env', env: { ...env } })
      }),
    )
  })

  it('are taken or refused, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('-', 'e', 'p', ' ', '=', "'", '"', '\\', 'A', '1', ':', '\n', '/'),
        }),
        (flags) => {
          expect(['env', 'wrong']).toContain(readEnvFlags(flags).kind)
        },
      ),
    )
  })
})

function ports(...mappings: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(mappings.map((mapping) => [`-p ${mapping}`, '1']))
}
