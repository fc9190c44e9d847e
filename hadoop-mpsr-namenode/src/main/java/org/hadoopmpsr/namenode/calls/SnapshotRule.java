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
package org.hadoopmpsr.namenode.calls;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.namenode.commit.RollForward;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;

/**
 * Lets a snapshot of datasets be made when no change of them is half done: a change moves the default group's files directory
 * by directory. The call waits for a change that is under way. Thread-safe.
 */
public final class SnapshotRule {
    private final MpsrNamesystem system;
    private final Datasets datasets;
    private final DatasetLocks locks;
    private final RollForward rollForward;

    public SnapshotRule(MpsrNamesystem system, Datasets datasets, DatasetLocks locks, RollForward rollForward) {
        this.system = system;
        this.datasets = datasets;
        this.locks = locks;
        this.rollForward = rollForward;
    }

    /** A call of HDFS. */
    interface Call {
        Message run() throws ServiceException;
    }

    /** Carries out a call that makes a snapshot of a directory. */
    Message between(String path, Call call) throws ServiceException {
        List<DatasetRecord> concerned = datasets.all().stream()
                .filter(d -> PathNames.isAtOrBelow(d.path(), path) || PathNames.isAtOrBelow(path, d.path()))
                .sorted(Comparator.comparing(DatasetRecord::id)) // one order, or two calls wait for each other
                .toList();
        try {
            return alone(concerned, call);
        } catch (IOException e) {
            throw e.getCause() instanceof ServiceException failure ? failure : new ServiceException(e);
        }
    }

    private Message alone(List<DatasetRecord> concerned, Call call) throws IOException {
        if (concerned.isEmpty()) {
            try {
                return call.run();
            } catch (ServiceException e) {
                throw new IOException(e);
            }
        }
        DatasetRecord first = concerned.get(0);
        return locks.alone(first, () -> {
            if (system.read(() -> rollForward.isHalfDone(first))) {
                throw new RetriableException("a rewrite of " + first.path()
                        + " waits to be completed, and a snapshot would hold a part of it; try again in a moment");
            }
            return alone(concerned.subList(1, concerned.size()), call);
        });
    }
}
