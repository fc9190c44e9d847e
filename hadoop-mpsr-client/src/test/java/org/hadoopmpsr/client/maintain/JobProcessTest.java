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
package org.hadoopmpsr.client.maintain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class JobProcessTest {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    @Test
    void whatAJobPrintsIsPassedOn() throws Exception {
        assertThat(JobProcess.run(List.of("sh", "-c", "echo one; echo two >&2; exit 3"), lines::add, () -> {}))
                .isEqualTo(3);
        assertThat(lines).containsExactly("one", "two");
    }

    @Test
    void aJobEndsWithItsThread() throws Exception {
        FutureTask<Integer> run = new FutureTask<>(
                () -> JobProcess.run(List.of("sh", "-c", "echo $$; exec sleep 600"), lines::add, () -> {}));
        Thread thread = new Thread(run);
        thread.start();
        long pid = Long.parseLong(lines.take());
        thread.interrupt();
        assertThatThrownBy(run::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false))
                .isFalse();
    }

    @Test
    void aProgramThatIsMissingIsNamed() {
        assertThatThrownBy(() -> JobProcess.run(List.of("/no/such/program"), lines::add, () -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/no/such/program");
    }
}
