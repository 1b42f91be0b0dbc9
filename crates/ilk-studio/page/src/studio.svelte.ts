import {
  get,
  post,
  Refused,
  type Answer,
  type By,
  type Cluster,
  type Clusters,
  type Contradictions,
  type Entry,
  type Explanation,
  type Kind,
  type Methods,
  type Notice,
  type Places,
  type Question,
  type State,
  type Taken,
} from "./api";

/** How often an answer is sent again where the server does not reply. */
const ATTEMPTS = 4;

/** What the whole page shows; the server has the truth. */
class Studio {
  state = $state.raw<State | null>(null);
  question = $state.raw<Question | null>(null);
  places = $state.raw<Places | null>(null);
  clusters = $state.raw<Clusters | null>(null);
  entries = $state.raw<Entry[]>([]);
  contradictions = $state.raw<Contradictions | null>(null);
  methods = $state.raw<Methods | null>(null);
  explanation = $state.raw<Explanation | null>(null);
  /** Whose clusters are shown; none yet chosen by the person. */
  chosen = $state<By | null>(null);
  /** Rows that are selected, by their points. */
  selected = $state.raw<Map<number, string>>(new Map());
  /** Rows that the next selection is to be apart from. */
  held = $state.raw<Map<number, string> | null>(null);
  busy = $state(false);
  fitting = $state("");
  error = $state("");
  news = $state("");
  kept = $state(true);

  by = $derived<By>(this.chosen ?? (this.state && this.state.n_answers > 0 ? "answers" : "model"));

  async start(): Promise<void> {
    await this.guard(async () => {
      this.places = await get<Places>("/api/map");
      await this.refresh();
    });
    const events = new EventSource("/api/events");
    events.onmessage = (message) => this.notice(JSON.parse(message.data as string) as Notice);
    // After the server was started anew there may be other answers.
    let was_lost = false;
    events.onerror = () => (was_lost = true);
    events.onopen = () => {
      if (was_lost) void this.guard(() => this.refresh());
      was_lost = false;
    };
  }

  private notice(notice: Notice): void {
    if (notice.event === "progress") {
      this.fitting = `fitting: ${notice.stage}`;
    } else if (notice.event === "failed") {
      this.fitting = "";
      this.error = notice.reason;
    } else if (notice.event === "clusters") {
      if (this.by === "answers") void this.guard(() => this.load_clusters());
    } else if (notice.event === "judged") {
      void this.guard(async () => this.take(await get<State>("/api/state")));
    } else if (notice.event === "fitted") {
      this.fitting = "";
      void this.guard(() => this.refresh());
    } else if (notice.event === "cancelled") {
      this.fitting = "";
    } else if (notice.revision !== this.state?.revision) {
      void this.guard(() => this.refresh());
    }
  }

  private take(state: State): void {
    this.state = state;
    if (!this.busy) this.question = state.question;
  }

  async refresh(): Promise<void> {
    this.take(await get<State>("/api/state"));
    await Promise.all([this.load_clusters(), this.load_answers(), this.load_methods()]);
  }

  async load_clusters(): Promise<void> {
    this.clusters = await absent_as_null(get<Clusters>(`/api/clusters?by=${this.by}`));
  }

  async load_methods(): Promise<void> {
    this.methods = await absent_as_null(get<Methods>("/api/methods"));
  }

  async load_answers(): Promise<void> {
    [this.entries, this.contradictions] = await Promise.all([
      get<Entry[]>("/api/answers"),
      get<Contradictions>("/api/contradictions"),
    ]);
  }

  /** Runs what may fail and says so where it does. */
  async guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.kept = true;
    } catch (error) {
      this.error = error instanceof Refused ? error.message : "The server does not answer; is ilk studio still running?";
    }
  }

  async answer(answer: Answer): Promise<void> {
    const question = this.question;
    if (!question || this.busy) return;
    this.busy = true;
    this.error = "";
    await this.guard(async () => {
      const taken = await this.send("/api/answer", { question: question.id, answer });
      this.question = taken.question;
      this.news = `Answer ${taken.entry + 1} is kept.`;
    });
    this.busy = false;
    await this.guard(() => this.refresh());
  }

  /** Sends until the server replies: an answer is taken once, however often it comes. */
  private async send(path: string, body: unknown): Promise<Taken> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await post<Taken>(path, body);
      } catch (error) {
        if (error instanceof Refused || attempt === ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, 300 * attempt));
      }
    }
  }

  private async change(work: () => Promise<unknown>, news: string): Promise<void> {
    this.error = "";
    await this.guard(async () => {
      await work();
      this.news = news;
      await this.refresh();
    });
  }

  undo = () => this.change(() => post("/api/undo"), "The last answer is taken back.");
  remove = (entry: number) => this.change(() => post("/api/delete", { entry }), `Answer ${entry + 1} is taken back.`);
  kind = (kind: Kind) => this.change(() => post("/api/kind", { kind }), `Questions are about a ${kind} now.`);
  fit = () => this.change(() => post("/api/fit"), "The fit begins.");

  rename(cluster: Cluster, name: string): Promise<void> {
    return this.change(() => post("/api/name", { row: cluster.typical[0], name }), "The cluster is renamed.");
  }

  done(cluster: Cluster, done: boolean): Promise<void> {
    return this.change(() => post("/api/done", { row: cluster.typical[0], done }), done ? "Done." : "Not done.");
  }

  merge(a: Cluster, b: Cluster): Promise<void> {
    return this.state_that("together", [a.typical[0]!, b.typical[0]!], []);
  }

  async state_that(relation: "together" | "apart", rows: string[], others: string[]): Promise<void> {
    await this.change(async () => {
      await post("/api/statement", { relation, rows, others });
      this.selected = new Map();
      this.held = null;
    }, "The statement is kept.");
  }

  async show(by: By): Promise<void> {
    this.chosen = by;
    await this.guard(() => this.load_clusters());
  }

  async explain(point: number): Promise<void> {
    await this.guard(async () => {
      this.explanation = await get<Explanation>(`/api/explain?point=${point}&by=${this.by}`);
    });
  }

  select(rows: Iterable<[number, string]>): void {
    this.selected = new Map(rows);
  }

  name_of(cluster: number | null): string {
    if (cluster === null) return "no cluster";
    return this.clusters?.clusters[cluster]?.name ?? `cluster ${cluster + 1}`;
  }
}

async function absent_as_null<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return null;
    throw error;
  }
}

export const studio = new Studio();
