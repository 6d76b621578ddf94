// SPDX-License-Identifier: Apache-2.0 OR MIT
// A document of n dispatches, in phases of 50, as wide as they are deep.
export function large(n) {
  const scopes = [{ id: 0, parent: 0, name: '', title: null }],
    values = [],
    nodes = [],
    steps = [],
    placed = [],
    begin = [],
    end = [];
  const phases = Math.ceil(n / 50);
  for (let p = 1; p <= phases; p++)
    scopes.push({
      id: p,
      parent: p <= 10 ? 0 : 1 + (p % 10),
      name: `phase_${p}`,
      title: `Phase ${p}: 50 transforms of 2^16`,
    });
  values.push({
    id: 1,
    name: 'x',
    type: 'bn254_fr',
    len: 65536,
    bytes: 2097152,
    storage: 'input',
    secret: false,
    output: null,
  });
  placed.push({
    id: 1,
    name: 'x',
    type: 'bn254_fr',
    len: 65536,
    bytes: 2097152,
    secret: false,
    space: 'input',
    scratch: false,
    segments: [{ block: 0, offset: 0, bytes: 2097152 }],
  });
  for (let i = 0; i < n; i++) {
    const name = `phase_${1 + Math.floor(i / 50)}/ntt${i % 50 ? `#${(i % 50) + 1}` : ''}`,
      preds = i < 8 ? [] : [i - 8 + ((i * 7) % 3)];
    const reads = preds.length ? preds[0] + 2 : 1,
      id = i + 2;
    values.push({
      id,
      name: null,
      type: 'bn254_fr',
      len: 65536,
      bytes: 2097152,
      storage: 'intermediate',
      secret: false,
      output: i === n - 1 ? 'y' : null,
    });
    nodes.push({
      id: i,
      name,
      op: 'ntt',
      params: 'forward',
      scope: `phase_${1 + Math.floor(i / 50)}`,
      scope_id: 1 + Math.floor(i / 50),
      in: [reads],
      out: [id],
    });
    placed.push({
      id,
      name,
      type: 'bn254_fr',
      len: 65536,
      bytes: 2097152,
      secret: false,
      space: 'arena',
      scratch: false,
      node_id: i,
      segments: [{ block: 1, offset: (i % 20) * 2097152, bytes: 2097152 }],
    });
    const at = preds.length ? end[preds[0]] : 0,
      ns = 2000 + ((i * 7919) % 9000);
    (begin.push(at + 100), end.push(at + 100 + ns));
    steps.push({
      part: 'run',
      step: i,
      label: `${name}/ntt_pass`,
      node_id: i,
      node: name,
      op: 'ntt',
      strategy: 'radix',
      kernel: 'ntt_pass.bn254_fr',
      level: i >> 3,
      groups: [64, 1, 1],
      preds,
      touches: [
        { value: reads, access: 'r', first: 0, count: 65536 },
        { value: id, access: 'w', first: 0, count: 65536 },
      ],
      waits: preds.map((p) => ({ for: p, why: [{ kind: 'data', value: reads, other: reads }] })),
      epoch: i >> 3,
      read_bytes: 2097152,
      written_bytes: 2097152,
      products: 524288,
      field: 'bn254_fr',
      predicted_ns: 5000,
    });
  }
  const zero = steps.map(() => 0);
  const plan = {
    memory_level: 0,
    slots: 1,
    nodes: n,
    dispatches: n,
    levels: n >> 3,
    constant_bytes: 0,
    borrowed_bytes: 0,
    arena_bytes: 20 * 2097152,
    total_bytes: 21 * 2097152,
  };
  return {
    kind: 'reprise-view',
    version: 1,
    library: '0',
    label: 'large',
    graph: { kind: 'graph', name: 'large', inputs: [1], outputs: [n + 1], scopes, values, nodes },
    recording: {
      kind: 'recording',
      name: 'large',
      device: { kind: 'cuda', index: 0, name: 'a device', workers: 132 },
      plan,
      aliases: [],
      values: placed,
      steps,
      blocks: [
        { block: 0, space: 'input', bytes: 2097152, secret: false },
        { block: 1, space: 'arena', bytes: 20 * 2097152, secret: false },
      ],
    },
    predicted: { path_ns: 0, path: [], slack_ns: zero, gain_ns: zero },
    runs: [
      {
        slot: 0,
        submitted_ns: 0,
        submit_ns: 10,
        latency_ns: Math.max(...end) + 500,
        bytes_up: 1,
        bytes_down: 1,
        spans: steps.map((s, i) => [i, 0, begin[i], end[i]]),
        begin_ns: begin,
        end_ns: end,
        path_ns: end[n - 1],
        path: [n - 1],
        slack_ns: zero,
        gain_ns: zero,
      },
    ],
  };
}
