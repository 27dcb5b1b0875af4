import { endedAfterMinutes } from '#domain/guards/guard.ts'

/** Sentences of an instance's page that depend on nothing. */
export const detailsText = {
  startup: 'Startup usually takes 1–5 minutes.',
  stateTimes: 'Times show when Slipway first saw each state.',
  undocumented:
    'the service sends these fields, but its API document doesn’t name them. Slipway interprets them.',
  noAddress: 'No SSH address yet.',
  noPorts: 'No public ports. You choose ports when you rent.',
  noForwards:
    'No port forwards yet. Forward a port of the instance to this computer, such as 8888 for a notebook.',
  forwards:
    'Port forwards use the encrypted SSH connection and return with it. Others in the network can’t connect unless you let them.',
  rules:
    'Rules on the instance run there, also while this computer is off, and warn in its terminals 5 minutes before. Rules in Slipway run only while it’s open or in the tray, and notify you 10 minutes before; missed ones run when Slipway next starts.',
  onlyInSlipway: 'Only in Slipway: a stopped instance can’t run a rule.',
  idleOnInstance:
    'Idle means: no GPU above 5%, no terminal open, no job, and at most 20% of its processors in use, half a core at most. What can’t be measured counts as in use.',
  processEnds: `Enter a name that only this process has, such as its script’s: it counts as a program or an argument, also with a path, and so an editor with that file counts, too. The rule runs once no process has had it for ${endedAfterMinutes} min. If none runs yet, it waits for the first one. Only on the instance: Slipway can’t see its processes.`,
  idleInSlipway: 'Idle means: no terminal, command, port forward, or transfer from this computer.',
  automaticAddress:
    'Automatic tries the address of the last login first, or before any login the one that answers, then the other one if the first fails before it shows a host key. If both have the same route, it waits 1.5 seconds at most for SSH to start at the first.',
  proxyCommand:
    '~/.ssh/config has a ProxyCommand for this instance. Slipway doesn’t run commands from there. Use ProxyJump there, or choose a jump host here.',
  configForwardsAgent:
    '~/.ssh/config asks for agent forwarding (ForwardAgent). Slipway turns it on only here.',
  agentForwarding:
    'Terminals on the instance can list your SSH agent’s keys and sign with them. So can anyone with root access to it.',
  noAgent: 'Slipway found no SSH agent on this computer.',
  routeApplies:
    'Address and route apply to the next connection. Agent forwarding applies to new terminals; turning it off takes effect at once.',
  entryLater: 'The SSH configuration gets an entry when Slipway knows the instance’s address.',
  keyNotSaved:
    'Not saved on this computer. The service returns the key only when you rent: turn on “Save the instance’s API key” in the rent sheet to save it. On the instance, it’s in the environment variable CONTAINER_API_KEY, which auto-stop rules there use. It can only start, stop, or destroy that instance.',
  keyCanDo:
    'This key can only start, stop, or destroy this instance. Auto-stop rules on the instance use it.',
} as const
