import { nativeTheme, WebContentsView, type BaseWindow } from 'electron'

/** Makes a page that fills the window, still empty and unseen. @param preload the built preload script */
export function createPageView(window: BaseWindow, preload: string): WebContentsView {
  const view = new WebContentsView({
    webPreferences: {
      preload,
      // Said although most are defaults: a later default must not loosen them.
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      // It would send words to a dictionary service, and marks every command in a start script as wrong.
      spellcheck: false,
      navigateOnDragDrop: false,
      // The timers of a hidden page would run once a second, later once a minute. Its terminals must go on
      // parsing: what they have not taken holds up the programs on the machines.
      backgroundThrottling: false,
    },
  })
  // WebRTC is not under the page's policy: it would send packets to whatever address the page names.
  view.webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  // Seen for a moment before the first paint.
  view.setBackgroundColor(backgroundColour())
  view.setVisible(false)
  window.contentView.addChildView(view)
  const fill = (): void => {
    const { width, height } = window.getContentBounds()
    view.setBounds({ x: 0, y: 0, width, height })
  }
  fill()
  window.on('resize', fill)
  view.webContents.once('destroyed', () => window.off('resize', fill))
  // Electron leaves it to us: a page would outlive its window.
  window.once('closed', () => {
    if (!view.webContents.isDestroyed()) view.webContents.close()
  })
  return view
}

/** What is seen before a page has painted. */
export function backgroundColour(): string {
  return nativeTheme.shouldUseDarkColors ? '#18181b' : '#ffffff'
}
