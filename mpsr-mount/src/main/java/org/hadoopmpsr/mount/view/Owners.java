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
package org.hadoopmpsr.mount.view;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.ShellBasedIdMapping;
import org.hadoopmpsr.client.log.PrintableLog;
import org.slf4j.Logger;

/**
 * The numbers that this host has for the users and groups of HDFS, as Hadoop's NFS gateway maps them. Names that the host does not
 * know become {@link #NOBODY}. Thread-safe; what was found holds for 15 minutes.
 */
final class Owners {
    /** The number of a user or group that is not known. */
    static final int NOBODY = 65_534;

    private static final Logger LOG = PrintableLog.of(Owners.class);
    private static final long KEPT_MS = 15L * 60 * 1000;

    private final ShellBasedIdMapping mapping;
    private final Map<String, Integer> users = new ConcurrentHashMap<>();
    private final Map<String, Integer> groups = new ConcurrentHashMap<>();
    private volatile long sinceMs = System.currentTimeMillis();

    Owners(Configuration conf) throws IOException {
        this.mapping = new ShellBasedIdMapping(conf);
    }

    int user(String name) {
        return number(users, name, mapping::getUid);
    }

    int group(String name) {
        return number(groups, name, mapping::getGid);
    }

    /** The name of a user, or empty if the host does not know the number. */
    String userName(int user) {
        return mapping.getUserName(user, "");
    }

    /** The name of a group, or empty if the host does not know the number. */
    String groupName(int group) {
        return mapping.getGroupName(group, "");
    }

    private interface Lookup {
        int of(String name) throws IOException;
    }

    private int number(Map<String, Integer> known, String name, Lookup lookup) {
        long nowMs = System.currentTimeMillis();
        if (nowMs - sinceMs > KEPT_MS) {
            sinceMs = nowMs;
            users.clear();
            groups.clear();
        }
        return known.computeIfAbsent(name, unknown -> {
            try {
                return unknown.isEmpty() ? NOBODY : lookup.of(unknown);
            } catch (IOException e) {
                LOG.debug("this host does not know '{}', which HDFS has as an owner", unknown);
                return NOBODY;
            }
        });
    }
}
