// Holds a shell's socket. On the page's own thread Chromium takes a socket's data in small pieces, between whatever
// else the page does; Electron's port, whose place it has here, hands over each message as it is.
addEventListener(
  'message',
  ({ data: address }: MessageEvent<unknown>) => {
    const socket = new WebSocket(String(address))
    socket.binaryType = 'arraybuffer'
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data instanceof ArrayBuffer) postMessage(data, { transfer: [data] })
    }
    addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (data === null) socket.close()
      else if (socket.readyState === WebSocket.OPEN) socket.send(String(data))
    })
  },
  { once: true },
)
