/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.mapreduce;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.CounterGroup;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;
import org.apache.hadoop.mapreduce.protocol.ClientProtocolProvider;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.mapreduce.Redirect.InconsistentJobException;
import org.hadoopmpsr.mapreduce.Redirect.Outcome;
import org.hadoopmpsr.mapreduce.Redirect.Redirection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Passes all calls on. Before a job is submitted, its input is redirected where this is possible; a failure leaves the job
 * unchanged. If a job was redirected, was left unchanged for a reason, or could not be redirected, the job's counters have a
 * group {@code MPSR}. Safe for use by several threads.
 */
final class RedirectingProtocol implements InvocationHandler {
    private static final Logger LOG = PrintableLog.of(RedirectingProtocol.class);

    /** Set where the job has a Parquet filter. */
    private static final String FILTER = "parquet.private.read.filter.predicate";

    private final ClientProtocol protocol;
    private final ClientProtocolProvider provider;
    private final Configuration conf;
    private final Map<JobID, Map<String, Long>> counted = new ConcurrentHashMap<>();

    RedirectingProtocol(ClientProtocol protocol, ClientProtocolProvider provider, Configuration conf) {
        this.protocol = protocol;
        this.provider = provider;
        this.conf = conf;
    }

    void close() throws IOException {
        provider.close(protocol);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals("submitJob") && arguments != null) {
            redirect((JobID) arguments[0], (String) arguments[1]);
        }
        Object result;
        try {
            result = method.invoke(protocol, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
        if (result instanceof Counters counters && arguments != null) {
            return with(counters, counted.getOrDefault((JobID) arguments[0], Map.of()));
        }
        return result;
    }

    private void redirect(JobID job, String staging) throws InconsistentJobException {
        try {
            JobClassLoader loader = new JobClassLoader(conf.getClassLoader());
            Outcome outcome = loader.create("JobRedirect", Redirect.class).apply(new Path(staging), conf);
            Map<String, Long> counts = new TreeMap<>();
            if (outcome.left() > 0) {
                counts.put("LEFT_ALONE", (long) outcome.left());
            }
            if (outcome.redirection() != null) {
                count(job, outcome.redirection(), counts);
            }
            counted.put(job, counts);
        } catch (InconsistentJobException e) {
            throw e;
        } catch (Exception | LinkageError | StackOverflowError e) {
            if (e instanceof NoClassDefFoundError && conf.get(FILTER) == null) {
                LOG.debug("{} runs as without MPSR: the job has no Parquet on its class path", job, e);
            } else {
                counted.put(job, Map.of("FAILURES", 1L));
                LOG.warn("{} runs as without MPSR, because redirecting its input failed: {}", job, e.toString(), e);
            }
            if (e instanceof InterruptedException || e instanceof InterruptedIOException) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void count(JobID job, Redirection redirection, Map<String, Long> counts) {
        counts.put("STOCK_FILES", redirection.stockFiles());
        counts.put("STOCK_BYTES", redirection.stockBytes());
        counts.put("FILES", redirection.files());
        counts.put("BYTES", redirection.bytes());
        LOG.info(
                "{} reads {} files, {} bytes instead of {} files, {} bytes: {}",
                job,
                redirection.files(),
                redirection.bytes(),
                redirection.stockFiles(),
                redirection.stockBytes(),
                redirection.text());
    }

    private static Counters with(Counters counters, Map<String, Long> counts) {
        if (!counts.isEmpty()) {
            CounterGroup group = counters.getGroup("MPSR"); // which tasks may have counted in
            counts.forEach((name, count) -> group.findCounter(name, true).setValue(count));
        }
        return counters;
    }
}
