import { config } from 'zod'

// The page's policy forbids eval. Zod would try it, be refused and fall back; that would leave a refusal in
// the console of every start. It asks when the first schema is made, so this file is imported first.
config({ jitless: true })
