import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { ProxyConfig } from 'electron'
import { expect, it, onTestFinished } from 'vitest'
import { cutOffPages } from '../../../src-main/desktop/pages/page-session.ts'
import { get, sourcesWith } from './checklist-questions.ts'
import { buildPreload, startFixture } from './fixture-app.ts'

it('a page has no network beside its policy: no WebRTC, no preconnect, no DNS prefetch', async () => {
  const preload = await buildPreload()
  onTestFinished(() => preload.remove())
  const app = await startFixture(preload.path)
  onTestFinished(() => app.close())
  const index = await get(app.page.url(), '/index.html')
  expect(index.headers['x-dns-prefetch-control']).toBe('off')
  expect((await app.webRtcPolicies()).trimEnd().split('\n')).toEqual(['disable_non_proxied_udp'])
  // As a STUN server would be asked where the page is.
  const server = createSocket('udp4')
  onTestFinished(() => void server.close())
  let packets = 0
  server.on('message', () => (packets += 1))
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  const candidates = await app.page.evaluate(async (port) => {
    const connection = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${port}` }] })
    const found: string[] = []
    const gathered = new Promise<void>((resolve) => {
      connection.onicecandidate = ({ candidate }) => {
        if (candidate === null) resolve()
        else found.push(candidate.candidate)
      }
    })
    connection.createDataChannel('out')
    await connection.setLocalDescription(await connection.createOffer())
    await gathered
    connection.close()
    return found
  }, server.address().port)
  expect([candidates, packets]).toEqual([[], 0])

  // Preconnect and prefetch: a driven Chromium does neither, so that only what is set is seen.
  const set: ProxyConfig[] = []
  await cutOffPages({ setProxy: (config) => Promise.resolve(void set.push(config)) })
  expect(set).toEqual([
    { mode: 'fixed_servers', proxyRules: 'http://127.0.0.1:9', proxyBypassRules: '<-loopback>' },
  ])
  expect(sourcesWith(/cutOffPages\(session\.defaultSession\)/)).toEqual(['src-main/index.ts'])
  expect(sourcesWith(/shared: \(\) => session\.defaultSession/)).toEqual([])
})
