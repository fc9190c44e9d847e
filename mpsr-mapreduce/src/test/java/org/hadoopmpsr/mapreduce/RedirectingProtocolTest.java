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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;
import org.apache.hadoop.mapreduce.protocol.ClientProtocolProvider;
import org.apache.hadoop.security.Credentials;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job is submitted whatever becomes of redirecting it. */
class RedirectingProtocolTest {
    private static final JobID JOB = new JobID("test", 1);

    private final List<String> calls = new ArrayList<>();

    @TempDir
    private Path directory;

    private static ClientProtocol protocol(InvocationHandler handler) {
        return (ClientProtocol) Proxy.newProxyInstance(
                RedirectingProtocolTest.class.getClassLoader(), new Class<?>[] {ClientProtocol.class}, handler);
    }

    @Test
    void aJobThatCannotBeRedirectedRunsAndIsCounted() throws Exception {
        ClientProtocol stock = protocol((proxy, method, arguments) -> {
            calls.add(method.getName());
            return method.getName().equals("getJobCounters") ? new Counters() : null;
        });
        ClientProtocol redirecting = protocol(new RedirectingProtocol(stock, new NoProvider(), new Configuration()));

        redirecting.submitJob(JOB, directory.resolve("missing").toUri().toString(), new Credentials());

        assertThat(calls).containsExactly("submitJob");
        Counters counters = redirecting.getJobCounters(JOB);
        assertThat(counters.findCounter("MPSR", "FAILURES").getValue()).isEqualTo(1);
        assertThat(redirecting.getJobCounters(new JobID("test", 2)).getGroupNames())
                .isEmpty();
    }

    private static final class NoProvider extends ClientProtocolProvider {
        @Override
        public ClientProtocol create(Configuration conf) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ClientProtocol create(InetSocketAddress address, Configuration conf) throws IOException {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close(ClientProtocol protocol) {}
    }
}
