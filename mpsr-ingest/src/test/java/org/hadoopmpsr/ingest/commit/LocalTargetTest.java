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
package org.hadoopmpsr.ingest.commit;

import java.nio.file.Path;
import org.hadoopmpsr.core.commit.OffsetReset;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.junit.jupiter.api.io.TempDir;

/** The fake that other tests use keeps the contract. */
class LocalTargetTest extends CommitTargetContract {
    @TempDir
    private Path dir;

    private LocalTarget target;
    private int datasets;

    @Override
    void create() {
        datasets++;
        if (target != null) {
            target.id = String.valueOf(datasets);
        }
    }

    @Override
    void drop() {
        target.id = "";
    }

    @Override
    CommitTarget open() {
        LocalTarget opened = new LocalTarget(
                dir.resolve(String.valueOf(datasets)),
                String.valueOf(datasets),
                SessionFixture.SCHEMA,
                SessionFixture.GROUPS);
        opened.maxFiles = MAX_FILES;
        target = target == null ? opened : target;
        return opened;
    }

    @Override
    void permit(boolean writing) {
        target.refusal = writing ? null : new Refusal(Kind.NO_PERMISSION, "Permission denied");
    }

    @Override
    void ready(boolean ready) {
        target.refusal = ready ? null : new Refusal(Kind.NOT_READY, "MPSR is off");
    }

    @Override
    void reset(OffsetReset reset) {
        target.reset(reset);
    }

    @Override
    void leaveSpace(boolean enough) {
        target.refusal = enough ? null : new Refusal(Kind.NO_SPACE, "The quota is exceeded");
    }
}
