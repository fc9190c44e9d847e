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
package org.hadoopmpsr.namenode.status;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.hadoopmpsr.client.log.PrintableLog;
import org.slf4j.Logger;

/**
 * The parts that MPSR can do without. If one of them does not start, MPSR works without it, and operators see a
 * warning. Thread-safe.
 */
public final class OptionalParts {
    private static final Logger LOG = PrintableLog.of(OptionalParts.class);

    private final List<String> warnings = new CopyOnWriteArrayList<>();

    /** The start of a part. */
    public interface Start {
        void run() throws Exception;
    }

    /**
     * Starts a part.
     *
     * @param part its name, such as {@code the metrics}
     * @param loss what is missing without it, as one clause
     * @return false if it does not start
     */
    public boolean start(String part, String loss, Start start) {
        try {
            start.run();
            return true;
        } catch (Exception | LinkageError e) {
            LOG.warn("MPSR works without {}: {}", part, loss, e);
            warnings.add("MPSR works without " + part + ", for it did not start (" + e + "): " + loss
                    + "; see the NameNode's log");
            return false;
        }
    }

    /** The warnings about parts that did not start, one line each. */
    List<String> warnings() {
        return warnings;
    }
}
