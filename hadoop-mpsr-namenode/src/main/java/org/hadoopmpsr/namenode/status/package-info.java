/** The operator's views: the status, the warnings, the JMX bean, the gauges, and the page in the web UI. */
package org.hadoopmpsr.namenode.status;
