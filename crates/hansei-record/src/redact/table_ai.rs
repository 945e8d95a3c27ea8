//! Token formats of model providers and of data stores near them.

use super::segment::Seg::{Alt, Lit, Opt, Run};
use super::segment::{
    ALNUM, ANY, B64, B64DOT, B64U, B64UP, Class, DIGIT, HEX, LOWNUM, Rule, UPNUM, UUID, WORD, rule,
};

/// The formats of this file.
#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    rule("anthropic-key", &["sk-ant-"], &[Run(B64U, 24, 300)], 30).glued(),
    rule("openai-project-key", &["sk-proj-"], &[Run(B64U, 32, 300)], 30).glued(),
    rule("openai-service-key", &["sk-svcacct-", "sk-service-"], &[Run(B64U, 32, 300)], 30).glued(),
    rule("openai-admin-key", &["sk-admin-"], &[Run(B64U, 32, 300)], 30).glued(),
    rule("openrouter-key", &["sk-or-v1-", "sk-or-"], &[Run(HEX, 40, 64)], 25).glued(),
    rule("langfuse-key", &["sk-lf-", "pk-lf-"], &[Run(UUID, 36, 36)], 25),
    rule("deepseek-key", &["sk-"], &[Run(HEX, 32, 32)], 28),
    rule("openai-key", &["sk-"], &[Run(ALNUM, 40, 64)], 32).mixed(),
    rule("moonshot-key", &["sk-"], &[Run(ALNUM, 20, 39)], 34).mixed(),
    rule("dashscope-key", &["sk-sp-", "sk-ws-", "sk-cp-"], &[Run(B64DOT, 24, 160)], 32).mixed(),
    rule("huggingface-token", &["hf_"], &[Run(ALNUM, 30, 40)], 30).mixed(),
    rule("huggingface-org-token", &["api_org_"], &[Run(ALNUM, 34, 34)], 28),
    rule("replicate-token", &["r8_"], &[Run(ALNUM, 37, 37)], 30),
    rule("groq-key", &["gsk_"], &[Run(ALNUM, 40, 64)], 30),
    rule("xai-key", &["xai-"], &[Run(ALNUM, 60, 90)], 30),
    rule("perplexity-key", &["pplx-"], &[Run(ALNUM, 40, 64)], 30),
    rule("langsmith-key", &["lsv2_pt_", "lsv2_sk_", "ls__"], &[Run(HEX, 32, 32), Opt(&[Lit("_"), Run(HEX, 10, 10)])], 25),
    rule("fireworks-key", &["fw_"], &[Run(ALNUM, 20, 40)], 32).mixed(),
    rule("together-key", &["tgp_v1_"], &[Run(B64U, 30, 64)], 30),
    rule("elevenlabs-key", &["sk_"], &[Run(HEX, 48, 48)], 28),
    rule("pinecone-key", &["pcsk_"], &[Run(WORD, 40, 90)], 30).mixed(),
    rule("nvidia-key", &["nvapi-"], &[Run(B64U, 50, 80)], 30).glued(),
    rule("cerebras-key", &["csk-"], &[Run(LOWNUM, 40, 60)], 30),
    rule("voyage-key", &["pa-"], &[Run(B64U, 43, 43)], 36).mixed(),
    rule("jina-key", &["jina_"], &[Run(B64U, 50, 64)], 30),
    rule("tavily-key", &["tvly-"], &[Run(B64U, 24, 64)], 28),
    rule("firecrawl-key", &["fc-"], &[Run(HEX, 32, 32)], 28),
    rule("wandb-key", &["wandb_v1_"], &[Run(WORD, 40, 120)], 30),
    rule("stability-key", &["sk-stab-"], &[Run(B64U, 30, 64)], 30),
    rule("friendli-token", &["flp_"], &[Run(ALNUM, 40, 64)], 30),
    rule("e2b-key", &["e2b_"], &[Run(HEX, 40, 40)], 25),
    rule("modal-token", &["as-", "ak-"], &[Run(ALNUM, 22, 22)], 36).mixed(),
    rule("runpod-key", &["rpa_"], &[Run(UPNUM, 36, 48)], 30),
    rule("retell-key", &["key_"], &[Run(HEX, 28, 32)], 28),
    rule("llamacloud-key", &["llx-"], &[Run(ALNUM, 40, 64)], 30),
    rule("browserbase-key", &["bb_live_", "bb_test_"], &[Run(B64U, 20, 64)], 30),
    rule("mem0-key", &["m0-"], &[Run(ALNUM, 40, 40)], 32).mixed(),
    rule("databricks-token", &["dapi"], &[Run(HEX, 32, 32), Opt(&[Lit("-"), Run(DIGIT, 1, 1)])], 28),
    rule("databricks-oauth-secret", &["dose"], &[Run(HEX, 32, 32)], 28),
    rule("planetscale-token", &["pscale_tkn_", "pscale_pw_", "pscale_oauth_", "pscale_otp_"], &[Run(B64DOT, 30, 80)], 28).glued(),
    rule("supabase-token", &["sbp_"], &[Opt(&[Alt(&["oauth_", "v0_"])]), Run(HEX, 40, 40)], 25),
    rule("supabase-secret-key", &["sb_secret_"], &[Run(B64U, 28, 64)], 30).glued(),
    rule("neon-key", &["napi_"], &[Run(LOWNUM, 60, 70)], 30),
    rule("upstash-qstash-key", &["sig_"], &[Run(ALNUM, 26, 34)], 34).mixed(),
    rule("xata-key", &["xau_"], &[Run(ALNUM, 32, 40)], 30).mixed(),
    rule("fauna-key", &["fnA"], &[Run(B64U, 37, 45)], 34).mixed(),
    rule("convex-deploy-key", &["prod:", "preview:", "dev:"], &[Run(LOWDASHW, 4, 50), Lit("|"), Run(B64ANYX, 24, 300)], 30),
    rule("aiven-token", &["aivenv1"], &[Run(B64, 40, 400)], 32),
    rule("mongodb-atlas-secret", &["mdb_sa_sk_"], &[Run(B64U, 30, 64)], 30).glued(),
    rule("clickhouse-cloud-key", &["4b1d"], &[Run(ALNUM, 38, 38)], 32),
    rule("dbt-cloud-token", &["dbtc_", "dbtu_", "dbts_"], &[Run(B64UP, 30, 80)], 30),
    rule("prisma-key", &["prisma+postgres://accelerate.prisma-data.net/?api_key="], &[Run(B64DOT, 20, ANY)], 28).glued().keep(),
];

/// Words with dashes and colons.
const LOWDASHW: Class = Class::of("0-9a-z:-");
/// base64 of any kind with bars.
const B64ANYX: Class = Class::of("0-9a-zA-Z+/=_-");
