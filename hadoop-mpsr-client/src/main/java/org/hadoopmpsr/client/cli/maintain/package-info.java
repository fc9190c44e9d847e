/** {@code mpsr maintain}. */
package org.hadoopmpsr.client.cli.maintain;
