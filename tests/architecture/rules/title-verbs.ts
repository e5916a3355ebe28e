// Verbs in the third person that a test title may start with. Add one that is missing; a noun or `is` never belongs here.
const VERBS = `
abandons aborts accepts accumulates acknowledges acts adds admits advances aggregates agrees aligns allocates
allows announces answers appends applies arrives asks asserts assigns attaches attempts attributes authenticates
authorizes averages backs batches becomes begins belongs binds blocks bounds breaks brings broadcasts buffers
builds caches calculates calls cancels caps captures carries catches chains changes charges checks chooses claims
clamps cleans clears closes coalesces collapses collects combines comes commits compares compiles completes
computes conceals confirms connects consumes contains continues converts copies corrects costs counts covers
creates credits cuts debits decides declares declines decodes decreases deduplicates defaults defers degrades
delays delegates deletes delivers demands denies derives describes detects differs disables discards disconnects
dispatches displays distinguishes distributes does downgrades drains draws drops echoes embeds emits empties
enables encodes encrypts ends enforces ensures enters equals escapes estimates evaluates evicts exceeds excludes
executes exits expands expects expires explains exports exposes extends extracts fails falls fetches fills filters
finds finishes fires flattens flushes follows forbids forfeits forgets formats forwards frames frees freezes gains
generates gets gives grants groups grows guards handles hands has hashes hides holds identifies ignores imports
includes increases indexes infers inherits inserts inspects installs interrupts invalidates invokes isolates issues
joins journals judges jumps keeps labels lasts learns leaves lets limits links lints lists loads locates locks logs
looks loses lowers makes maps marks masks matches measures merges migrates mirrors moves names narrows needs
normalizes notifies numbers observes offers omits opens orders outlives overrides owns pages pairs parses 
passes patches pauses pays performs permits persists picks pins places plans points polls posts prefers prepares
prepends preserves prevents prints prioritizes processes produces proposes protects proves provides publishes
purges puts queries queues quotes raises ranks rates reaches reacts reads rebuilds receives recognizes reconciles
reconnects records recovers redacts redirects reduces refers refills refreshes refunds refuses registers rejects
relays releases reloads remains remembers removes renames renders renews reopens reorders repairs repeats replaces
replays replies reports represents requests requeues requires reschedules reserves resets resolves respects
responds restarts restores restricts results resumes retains retries returns reuses reverses reverts revokes
rewinds rewrites rolls rotates rounds routes runs samples satisfies saves scales schedules scopes searches seeds
selects sends separates serializes serves sets settles shares shortens shows shrinks shuts signs skips sleeps sorts
spares splits spreads stamps starts stays stops stores streams strips submits substitutes subtracts succeeds
suggests sums supersedes supplies supports suppresses survives suspends switches synchronizes tags takes terminates
throttles throws tolerates totals touches traces tracks transcribes transfers transforms translates treats tries trims
truncates trusts turns unblocks unlocks unwraps updates upgrades uploads upserts uses validates verifies versions
voids waits wakes warns withholds withstands works wraps writes yields zeroes
`;

export const TITLE_VERBS: ReadonlySet<string> = new Set(VERBS.trim().split(/\s+/));
