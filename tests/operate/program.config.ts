/** The Prometheus server to use; undefined where there is none. */
export const prometheusProgram: string | undefined = process.env.PROMETHEUS || undefined;
