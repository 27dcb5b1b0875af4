// Holds a shell's socket. On the page's own thread Chromium takes a socket's data in small pieces, between whatever
// else the page does; Electron's port, whose place it has here, hands over each message as it is. A shared worker,
// because Playwright has each frame of a page's or its own workers' sockets copied to it in base64.
addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports
  if (!port) throw new Error('the page connects with a port')
  port.onmessage = ({ data: address }: MessageEvent<unknown>) => {
    const socket = new WebSocket(String(address))
    socket.binaryType = 'arraybuffer'
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data instanceof ArrayBuffer) port.postMessage(data, { transfer: [data] })
    }
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data === null) socket.close()
      else if (socket.readyState === WebSocket.OPEN) socket.send(String(data))
    }
  }
})
